import type { LimitsConfig } from '#config/config.ts';
import type { Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';

/** How much may be done: within an hour and over all gateways together, where nothing else is said. */
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
  /** Started by one account. */
  quizzes: number;
  /** Of one account at a time, whenever they were started. */
  openDrills: number;
  /** Reports of questions by one account, at each gateway. */
  reports: number;
  /** Questions that one account reads in another language, at each gateway. */
  translations: number;
  /** Public calls from one client address within a minute, at each gateway. */
  publicCalls: number;
}

/** Who begins something: where the call comes from, and for whom it is. */
export interface Beginner {
  /** As `countedAddress` has it; null for a call that does not come from outside. */
  clientAddress: string | null;
  email: string;
  /** Of who is signed in. */
  accountId: string | null;
}

/** What one e-mail address may do from all networks together, in multiples of what it may from one. */
export const ALL_NETWORKS = 4;

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
 * Lets all that begin something from one address, or for one learner, go one after the other until
 * their transactions end, so that no two of them count the same rows.
 */
export async function waitInLine(tx: Transaction, who: Beginner): Promise<void> {
  const { clientAddress, email, accountId } = who;
  // Addresses always before learners, in number spaces of their own: nobody waits in a circle.
  if (clientAddress) await lock(tx, 1, clientAddress);
  await lock(tx, 2, accountId ?? email);
}

/** The same for an account's calls that cost nothing, in a line of their own: no payment waits for it. */
export async function waitForOwnCalls(tx: Transaction, accountId: string): Promise<void> {
  await lock(tx, 3, accountId);
}

async function lock(tx: Transaction, space: 1 | 2 | 3, name: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [space, name]);
}

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
