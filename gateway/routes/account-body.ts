import type { AccountSummary } from '@proveklar/services/accounts/account.ts';
import type { WaitingDays } from '@proveklar/services/accounts/credit-ledger.ts';
import type { ConfirmResponse } from '@proveklar/contract/payment.ts';

/** An account in the shape that several calls answer with. */
export function toAccountBody(
  account: AccountSummary,
  waiting: readonly WaitingDays[],
): ConfirmResponse {
  return {
    account: {
      registered_at: account.registered_at.toISOString(),
      service_expires_at: account.service_expires_at?.toISOString() ?? null,
      is_active: account.is_active,
    },
    days_remaining: account.days_remaining,
    waiting_days: waiting.map(({ begins_at, days }) => ({
      begins_at: begins_at.toISOString(),
      days,
    })),
  };
}
