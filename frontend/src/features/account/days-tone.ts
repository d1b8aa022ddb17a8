export type DaysTone = 'ok' | 'warning' | 'critical' | 'expired';

/** How urgent it is to extend: a warning from 7 days, critical on the last, expired at 0. */
export function daysTone(days: number): DaysTone {
  if (days <= 0) return 'expired';
  if (days <= 1) return 'critical';
  return days <= 7 ? 'warning' : 'ok';
}
