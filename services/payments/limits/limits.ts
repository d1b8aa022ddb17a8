import type { LimitsConfig } from '#config/config.ts';
import type { Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';

/** How much may be begun within an hour, over all gateways together. */
export interface Limits {
  perAddress: number;
  perEmail: number;
  /** Takes the place of `perAddress` after `declines`. */
  perAddressAfterDeclines: number;
  declines: number;
  /** By one account. */
  exports: number;
  /** By one account. */
  profileChanges: number;
}

/** Who begins something: where the call comes from, and for whom it is. */
export interface Beginner {
  /** As `countedAddress` has it; null for a call that does not come from outside. */
  clientAddress: string | null;
  email: string;
  /** Of who is signed in. */
  accountId: string | null;
}

export function limitsOf(config: LimitsConfig): Limits {
  return {
    perAddress: config.INTENTS_PER_ADDRESS,
    perEmail: config.INTENTS_PER_EMAIL,
    perAddressAfterDeclines: config.INTENTS_PER_ADDRESS_AFTER_DECLINES,
    declines: config.DECLINES_BEFORE_LIMIT,
    exports: config.EXPORTS_PER_ACCOUNT,
    profileChanges: config.PROFILE_CHANGES_PER_ACCOUNT,
  };
}

/**
 * Lets all that begin something from one address, or for one learner, go one after the other until
 * their transactions end, so that no two of them count the same rows.
 */
export async function waitInLine(tx: Transaction, who: Beginner): Promise<void> {
  const { clientAddress, email, accountId } = who;
  // Addresses always before learners, in number spaces of their own: nobody waits in a circle.
  if (clientAddress) await lock(tx, 1, clientAddress);
  await lock(tx, 2, accountId ?? email);
}

async function lock(tx: Transaction, space: 1 | 2, name: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [space, name]);
}

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

/**
 * The expression for how long it is until fewer than n rows are younger than an hour, 0 when they
 * are: until the n-th newest is an hour old. n is the value of a parameter.
 */
export function secondsLeft(from: string, time: string, where: string, parameter: number): string {
  return `coalesce((
    select greatest(0, extract(epoch from ${time} + interval '1 hour' - clock_timestamp())::float8)
    from ${from} where ${where} order by ${time} desc offset $${parameter}::int - 1 limit 1), 0)`;
}

/**
 * Refuses what there is still time to wait for.
 *
 * @throws AppError `rate_limited` with `retry_after_s`, in whole seconds
 */
export function refuse(seconds: number): void {
  if (seconds === 0) return;
  throw new AppError('rate_limited', { details: { retry_after_s: Math.ceil(seconds) } });
}
