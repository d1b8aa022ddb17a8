import type { AccountResponse } from '@proveklar/contract/account.ts';
import { daysTone } from './days-tone.ts';

type Service = Pick<AccountResponse, 'days_remaining'> & {
  account: Pick<AccountResponse['account'], 'service_expires_at'>;
};

/** On which day access ends where that is a matter of hours; null while there is more, or none. */
export function accessEnd(service: Service, now = new Date()): 'today' | 'tomorrow' | null {
  const ends = service.account.service_expires_at;
  if (ends === null || daysTone(service) !== 'critical') return null;
  return new Date(ends).toDateString() === now.toDateString() ? 'today' : 'tomorrow';
}
