/** When a learner is reminded, in minutes before the end; each stands for so many seconds. */
const REMINDERS = [10, 5, 1] as const;
type Reminder = (typeof REMINDERS)[number];
const STANDS = 20;

/** Seconds until a time of the monotonic clock; never below 0. */
export function secondsUntil(endsAt: number, now: number): number {
  return Math.max(0, Math.ceil((endsAt - now) / 1000));
}

/** Milliseconds until the number of seconds changes. */
export function untilNextSecond(endsAt: number, now: number): number {
  // Timers may come a little early: then the same second would be shown again for a whole one.
  return (Math.max(0, endsAt - now) % 1000) + 5;
}

/** Seconds → "59:07". A test may be longer than an hour: "75:00", as an egg timer has it. */
export function formatClock(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
}

/** Of what to remind so many seconds before the end, if of anything. */
export function reminderAt(seconds: number): Reminder | undefined {
  return REMINDERS.find(
    (minutes) => seconds <= minutes * 60 && seconds > minutes * 60 - STANDS && seconds > 0,
  );
}
