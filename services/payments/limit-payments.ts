import type { Transaction } from '#database/pool.ts';
import { secondsLeft, type Beginner, type Limits } from '#limits/limits.ts';

/**
 * How long it is until one more payment may be begun; 0 when it may.
 *
 * A registration is counted with those under its address, a payment for more service with those of
 * its account. Counted together, a registration under an address that has an account would be
 * refused earlier, which tells that it has one; and a stranger could keep a learner from paying.
 */
export async function secondsToWait(
  tx: Transaction,
  { perAddress, perEmail, perAddressAfterDeclines, declines }: Limits,
  { clientAddress, email, accountId }: Beginner,
): Promise<number> {
  const own = accountId
    ? `purpose = 'extension' and account_id = $2`
    : `purpose = 'registration' and email = $2`;
  const { rows } = await tx.query<Record<'address' | 'strict' | 'declined' | 'own', number>>(
    `select ${secondsLeft('payment', 'created_at', 'client_address = $1', 3)} as address,
       -- Over as soon as either is below its number.
       least(${secondsLeft('payment', 'created_at', 'client_address = $1', 4)},
         ${secondsLeft(DECLINES, 'declined_at', 'client_address = $1', 6)}) as strict,
       ${secondsLeft('payment', 'created_at', own, 5)} as own,
       ${secondsLeft(DECLINES, 'declined_at', own, 6)} as declined`,
    [clientAddress, accountId ?? email, perAddress, perAddressAfterDeclines, perEmail, declines],
  );
  return Math.max(...Object.values(rows[0]!));
}

const DECLINES = 'card_decline join payment on payment.id = card_decline.payment_id';
