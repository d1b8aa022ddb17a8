/** When a learner is reminded, in minutes before the end. */
const REMINDERS = [10, 5, 1] as const;
type Reminder = (typeof REMINDERS)[number];
const REMINDER_S = 20;

/** Seconds until a time of the monotonic clock, at least 0. */
export function secondsUntil(endsAt: number, now: number): number {
  return Math.max(0, Math.ceil((endsAt - now) / 1000));
}

/** Milliseconds until the number of seconds changes. */
export function untilNextSecond(endsAt: number, now: number): number {
  // Timers may fire a little early, and would then show the same second for another whole second.
  return (Math.max(0, endsAt - now) % 1000) + 5;
}

/** Seconds → "59:07"; more than an hour as minutes: "75:00". */
export function formatClock(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
}

/** The reminder to show this many seconds before the end, if any. */
export function reminderAt(seconds: number): Reminder | undefined {
  return REMINDERS.find(
    (minutes) => seconds <= minutes * 60 && seconds > minutes * 60 - REMINDER_S && seconds > 0,
  );
}
