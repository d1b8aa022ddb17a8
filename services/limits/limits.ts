import type { LimitsConfig } from '#config/config.ts';
import type { Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';

/** The rate limits: per hour and over all gateways together, unless noted otherwise. */
export interface Limits {
  perAddress: number;
  perEmail: number;
  /** Replaces `perAddress` after this many `declines`. */
  perAddressAfterDeclines: number;
  declines: number;
  /** Per account. */
  exports: number;
  /** Per account. */
  profileChanges: number;
  /** Quizzes started, per account. */
  quizzes: number;
  /** Open drills per account, whenever they were started. */
  openDrills: number;
  /** Reports of questions per account and gateway. */
  reports: number;
  /** Questions read in another language, per account and gateway. */
  translations: number;
  /** Public calls per minute, client address and gateway. */
  publicCalls: number;
}

/** The source of a rate limited call and the learner it is for. */
export interface LimitedCaller {
  /** From `rateLimitAddress`; null for an internal call. */
  clientAddress: string | null;
  email: string;
  /** Of the signed-in learner. */
  accountId: string | null;
}

/** The limit of an e-mail address over all networks, as a multiple of its limit from one network. */
export const ALL_NETWORKS_FACTOR = 4;

export function limitsOf(config: LimitsConfig): Limits {
  return {
    perAddress: config.INTENTS_PER_ADDRESS,
    perEmail: config.INTENTS_PER_EMAIL,
    perAddressAfterDeclines: config.INTENTS_PER_ADDRESS_AFTER_DECLINES,
    declines: config.DECLINES_BEFORE_LIMIT,
    exports: config.EXPORTS_PER_ACCOUNT,
    profileChanges: config.PROFILE_CHANGES_PER_ACCOUNT,
    quizzes: config.QUIZZES_PER_ACCOUNT,
    openDrills: config.OPEN_DRILLS_PER_ACCOUNT,
    reports: config.REPORTS_PER_ACCOUNT,
    translations: config.TRANSLATIONS_PER_ACCOUNT,
    publicCalls: config.PUBLIC_CALLS_PER_ADDRESS,
  };
}

/**
 * Takes advisory locks on the caller's address and learner until the transaction ends, so that
 * concurrent calls cannot count the same rows.
 */
export async function acquireCallerLocks(tx: Transaction, caller: LimitedCaller): Promise<void> {
  const { clientAddress, email, accountId } = caller;
  // Always the address before the learner, in separate lock spaces, so that no deadlock is possible.
  if (clientAddress) await acquireAdvisoryLock(tx, 1, clientAddress);
  await acquireAdvisoryLock(tx, 2, accountId ?? email);
}

/** Locks an account's free calls. A separate lock space: no payment waits for it. */
export async function acquireAccountLock(tx: Transaction, accountId: string): Promise<void> {
  await acquireAdvisoryLock(tx, 3, accountId);
}

async function acquireAdvisoryLock(tx: Transaction, space: 1 | 2 | 3, name: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [space, name]);
}

/**
 * SQL: the seconds until fewer than n rows are younger than an hour, which is when the n-th newest row
 * becomes an hour old; 0 when there are fewer now.
 *
 * @param parameter the number of the query parameter that holds n
 */
export function secondsUntilAllowed(
  from: string,
  time: string,
  where: string,
  parameter: number,
): string {
  return `coalesce((
    select greatest(0, extract(epoch from ${time} + interval '1 hour' - clock_timestamp())::float8)
    from ${from} where ${where} order by ${time} desc offset $${parameter}::int - 1 limit 1), 0)`;
}

/**
 * @param seconds until the call is allowed; 0 allows it now
 * @throws AppError `rate_limited` with `retry_after_s`, in whole seconds
 */
export function throwIfLimited(seconds: number): void {
  if (seconds === 0) return;
  throw new AppError('rate_limited', { details: { retry_after_s: Math.ceil(seconds) } });
}
