import type { Transaction } from '#database/pool.ts';

/**
 * Takes name and address off an account's payments, and off registrations under its address that
 * were cancelled. One still open is left alone: it may be a new registration, which needs them.
 *
 * @param email null where nobody knows that the address is theirs: it may be somebody else who pays
 * @param placeholder what a registration has in place of its address
 */
export async function anonymizePayments(
  tx: Transaction,
  accountId: string,
  { email, placeholder }: { email: string | null; placeholder: string },
): Promise<void> {
  await tx.query(
    `update payment
     set username = null, email = case purpose when 'registration' then $2 end
     where account_id = $1 or (account_id is null and state = 'cancelled' and email = $3)`,
    [accountId, placeholder, email],
  );
}

/** For so long a search may still find what was begun. */
const KEPT_DAYS = 30;

/**
 * Takes name and address off registrations that were begun and never paid: nobody became a customer,
 * and nobody would ever ask for them to be deleted.
 */
export async function forgetNeverPaid(tx: Transaction): Promise<void> {
  await tx.query(
    `update payment set username = null, email = 'deleted-' || id || '@invalid'
     where purpose = 'registration' and outcome in ('abandoned', 'cancelled')
       and account_id is null and attention is null
       and (payment_intent_id is null or intent_status = 'canceled')
       and cancelled_at < clock_timestamp() - make_interval(days => $1)
       and email not like 'deleted-%@invalid'`,
    [KEPT_DAYS],
  );
}
