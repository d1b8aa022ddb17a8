import { withTransaction, type Database } from '#database/pool.ts';
import { countedAddress } from '#limits/client-address.ts';
import { refuse, secondsLeft, waitInLine, type Limits } from '#limits/limits.ts';

/** For one e-mail address from all networks, in multiples of what one network may do. */
const ALL_NETWORKS = 4;

/**
 * Counts a registration without payment, and refuses it beyond the limits on payments: each makes a
 * user, or mails the owner of the address. Tries are counted, not users, so that the answer does not
 * tell whether the address has one. As for payments, one network cannot use up the tries of the owner;
 * from all networks together there are more, but few enough for the owner's mailbox.
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
    const { rows } = await tx.query<Record<'address' | 'own' | 'anywhere', number>>(
      `select ${secondsLeft('free_registration', 'created_at', 'client_address = $1', 3)} as address,
         ${secondsLeft('free_registration', 'created_at', OWN, 4)} as own,
         ${secondsLeft('free_registration', 'created_at', 'email = $2', 5)} as anywhere`,
      [address, email, limits.perAddress, limits.perEmail, limits.perEmail * ALL_NETWORKS],
    );
    refuse(Math.max(...Object.values(rows[0]!)));
    await tx.query('insert into free_registration (client_address, email) values ($1, $2)', [
      address,
      email,
    ]);
  });
}

const OWN = 'email = $2 and client_address is not distinct from $1';
