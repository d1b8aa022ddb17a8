import type { Transaction } from '#database/pool.ts';

/**
 * Takes name and address off an account's payments, and off registrations under its address that
 * were cancelled. One still open is left alone: it may be a new registration, which needs them.
 *
 * @param placeholder what a registration has in place of its address
 */
export async function anonymizePayments(
  tx: Transaction,
  accountId: string,
  { email, placeholder }: { email: string; placeholder: string },
): Promise<void> {
  await tx.query(
    `update payment
     set username = null, email = case purpose when 'registration' then $2 end
     where account_id = $1 or (account_id is null and state = 'cancelled' and email = $3)`,
    [accountId, placeholder, email],
  );
}
