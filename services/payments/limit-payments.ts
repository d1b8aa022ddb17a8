import type { Transaction } from '#database/pool.ts';
import { secondsLeft, type Beginner, type Limits } from '#limits/limits.ts';

/** Refused cards for one e-mail address from all networks, in multiples of what one network may have. */
const ALL_NETWORKS = 4;

/**
 * How long it is until one more payment may be begun; 0 when it may.
 *
 * A registration is counted with those under its e-mail address from the same network, a payment for more
 * service with those of its account. Counted together, a registration under an address that has an
 * account would be refused earlier, which tells that it has one; and a stranger could keep a learner
 * from paying. Counted from everywhere, five calls of a stranger would keep the owner of an address from
 * registering. So from everywhere only refused cards count, and four times as many are allowed: a
 * network gets no further than its own limits.
 */
export async function secondsToWait(
  tx: Transaction,
  { perAddress, perEmail, perAddressAfterDeclines, declines }: Limits,
  { clientAddress, email, accountId }: Beginner,
): Promise<number> {
  const own = accountId
    ? `purpose = 'extension' and account_id = $2`
    : `purpose = 'registration' and email = $2 and client_address is not distinct from $1`;
  const anywhere = accountId ? own : `purpose = 'registration' and email = $2`;
  const { rows } = await tx.query<
    Record<'address' | 'strict' | 'own' | 'declined' | 'declined_anywhere', number>
  >(
    `select ${secondsLeft('payment', 'created_at', 'client_address = $1', 3)} as address,
       -- Over as soon as either is below its number.
       least(${secondsLeft('payment', 'created_at', 'client_address = $1', 4)},
         ${secondsLeft(DECLINES, 'declined_at', 'client_address = $1', 6)}) as strict,
       ${secondsLeft('payment', 'created_at', own, 5)} as own,
       ${secondsLeft(DECLINES, 'declined_at', own, 6)} as declined,
       ${secondsLeft(DECLINES, 'declined_at', anywhere, 7)} as declined_anywhere`,
    [
      clientAddress,
      accountId ?? email,
      perAddress,
      perAddressAfterDeclines,
      perEmail,
      declines,
      declines * ALL_NETWORKS,
    ],
  );
  return Math.max(...Object.values(rows[0]!));
}

const DECLINES = 'card_decline join payment on payment.id = card_decline.payment_id';
