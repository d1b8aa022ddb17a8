import { withTransaction, type Database } from '#database/pool.ts';
import { countedAddress } from '#limits/client-address.ts';
import { refuse, secondsLeft, waitInLine, type Limits } from '#limits/limits.ts';

/**
 * Counts a registration without payment, and refuses it beyond the limits on payments: each makes a
 * user, or mails the owner of the address. Tries are counted, not users, so that the answer does not
 * tell whether the address has one.
 *
 * @throws AppError `rate_limited` with `retry_after_s`: seconds until one more is allowed
 */
export async function countFreeRegistration(
  { db, limits }: { db: Database; limits: Limits },
  { email, clientAddress }: { email: string; clientAddress: string | undefined },
): Promise<void> {
  const address = clientAddress === undefined ? null : countedAddress(clientAddress);
  await withTransaction(db, async (tx) => {
    await waitInLine(tx, { clientAddress: address, email, accountId: null });
    const { rows } = await tx.query<Record<'address' | 'own', number>>(
      `select ${secondsLeft('free_registration', 'created_at', 'client_address = $1', 3)} as address,
         ${secondsLeft('free_registration', 'created_at', 'email = $2', 4)} as own`,
      [address, email, limits.perAddress, limits.perEmail],
    );
    refuse(Math.max(rows[0]!.address, rows[0]!.own));
    await tx.query('insert into free_registration (client_address, email) values ($1, $2)', [
      address,
      email,
    ]);
  });
}
