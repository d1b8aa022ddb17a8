import type { AccountSummary } from '@proveklar/services/accounts/account.ts';
import type { ConfirmResponse } from '#contract/payment.ts';

/** An account in the shape that several calls answer with. */
export function toAccountBody(account: AccountSummary): ConfirmResponse {
  return {
    account: {
      registered_at: account.registered_at.toISOString(),
      service_expires_at: account.service_expires_at?.toISOString() ?? null,
      is_active: account.is_active,
    },
    days_remaining: account.days_remaining,
  };
}
