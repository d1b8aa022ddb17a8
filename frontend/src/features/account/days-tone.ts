import type { AccountResponse } from '@proveklar/contract/account.ts';

export type DaysTone = 'ok' | 'warning' | 'critical' | 'expired' | 'none';

type Service = Pick<AccountResponse, 'days_remaining'> & {
  account: Pick<AccountResponse['account'], 'service_expires_at'>;
};

/**
 * How urgent it is to extend: a warning from 7 days, critical on the last, expired at 0.
 * `none`: never had any service, so nothing can have expired.
 */
export function daysTone({ days_remaining: days, account }: Service): DaysTone {
  if (account.service_expires_at === null) return 'none';
  if (days <= 0) return 'expired';
  if (days <= 1) return 'critical';
  return days <= 7 ? 'warning' : 'ok';
}

/** On which day access ends where that is a matter of hours; null while there is more, or none. */
export function accessEnd(service: Service, now = new Date()): 'today' | 'tomorrow' | null {
  const ends = service.account.service_expires_at;
  if (ends === null || daysTone(service) !== 'critical') return null;
  return new Date(ends).toDateString() === now.toDateString() ? 'today' : 'tomorrow';
}
