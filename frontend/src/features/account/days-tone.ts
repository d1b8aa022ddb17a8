import type { AccountResponse } from '@proveklar/contract/account.ts';

export type DaysTone = 'ok' | 'warning' | 'critical' | 'expired' | 'none';

type Service = Pick<AccountResponse, 'days_remaining'> & {
  account: Pick<AccountResponse['account'], 'service_expires_at'>;
};

/**
 * How urgent an extension is: a warning from 7 days, critical on the last day, expired at 0. `none`: the
 * account never had access.
 */
export function daysTone({ days_remaining: days, account }: Service): DaysTone {
  if (account.service_expires_at === null) return 'none';
  if (days <= 0) return 'expired';
  if (days <= 1) return 'critical';
  return days <= 7 ? 'warning' : 'ok';
}

/** Whether access ends today or tomorrow; null if it ends later, or has ended. */
export function accessEnd(service: Service, now = new Date()): 'today' | 'tomorrow' | null {
  const ends = service.account.service_expires_at;
  if (ends === null || daysTone(service) !== 'critical') return null;
  return new Date(ends).toDateString() === now.toDateString() ? 'today' : 'tomorrow';
}
