import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/emit.ts';
import type { Limits } from '#limits/limits.ts';
import { type Account, readAccount } from './account.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import { countProfileChange } from './limited-calls.ts';
import type { UserDeps } from './users.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmailChange, IdentityProvider, IdentityUser } from '#identity/identity-provider.ts';
import { refuseWeakPassword } from '#identity/password-rule.ts';
import type { VerifiedIdentity } from '#identity/verify-token.ts';

interface ProfileChange {
  /** Null takes the name away; left out, it stays. */
  displayName?: string | null | undefined;
  /** What we write to them in; left out, it stays. */
  language?: AppLanguage | undefined;
}

/**
 * Changes what a learner may say of themselves. The name is the sign-in service's too, and is told
 * there afterwards: what was saved here stays, and the same call tells it again.
 *
 * @throws AppError `validation_failed` for a blank name, `rate_limited` with `retry_after_s`,
 *   `identity_provider_failed` with `details.saved` when only we know the new name
 */
export async function changeProfile(
  { db, identity, limits }: UserDeps & { limits: Limits },
  { id, uid }: Pick<Account, 'id' | 'uid'>,
  { displayName, language }: ProfileChange,
): Promise<Account> {
  const name = displayName === undefined ? undefined : nameOf(displayName);
  await countProfileChange({ db, limits }, id);
  const account = await withTransaction(db, async (tx) => {
    // What an administrator deletes meanwhile stays deleted.
    const { rowCount } = await tx.query(
      `update account set
         display_name = case when $2 then $3 else display_name end,
         language = coalesce($4, language)
       where id = $1 and state = 'active'`,
      [id, name !== undefined, name ?? null, language ?? null],
    );
    if (rowCount === 0) throw new AppError('account_disabled');
    await emit(tx, 'account.changed', { account_id: id });
    return readAccount(tx, id);
  });
  if (name !== undefined) await tellProvider(identity, uid, name);
  return account;
}

function nameOf(displayName: string | null): string | null {
  const name = displayName?.trim();
  if (name !== '') return name ?? null;
  throw new AppError('validation_failed', {
    message: 'display_name is blank; null takes the name away',
    details: { field: 'display_name', part: 'body' },
  });
}

async function tellProvider(
  identity: UserDeps['identity'],
  uid: string,
  name: string | null,
): Promise<void> {
  await identity.setDisplayName(uid, name).catch((cause: unknown) => {
    throw new AppError('identity_provider_failed', {
      message: 'The name is saved, but not yet at the sign-in service. Save it again.',
      details: { saved: true },
      cause,
    });
  });
}

/**
 * Changes a learner's password and ends all their sessions, also the one that asks: when this resolves, no
 * older token is taken any more, and one from a new sign-in is. May be repeated.
 *
 * @throws AppError `password_refused`, `rate_limited` with `retry_after_s`, `identity_provider_failed`,
 *   after which the password may be changed all the same, and old tokens end within a minute
 */
export async function changePassword(
  { db, identity, limits }: { db: Database; identity: IdentityProvider; limits: Limits },
  { id, uid, email, display_name }: Pick<Account, 'id' | 'uid' | 'email' | 'display_name'>,
  password: string,
): Promise<void> {
  await refuseWeakPassword(identity, password, { email, username: display_name ?? undefined });
  await countProfileChange({ db, limits }, id);
  await identity.setPassword(uid, password);
  await identity.endSessions(uid);
  const leftMs = await withTransaction(db, (tx) => endSessions(tx, id));
  await sleep(Math.max(0, leftMs));
}

/**
 * Has a link mailed to a learner's new address. The old one, and the sessions, hold until it is opened: so
 * a typing error locks no learner out. The first token with the new address then ends the sessions from before.
 *
 * @throws AppError `email_refused`, `recent_sign_in_required`, `rate_limited` with `retry_after_s`,
 *   `identity_provider_failed`
 */
export async function requestEmailChange(
  { db, identity, limits }: { db: Database; identity: IdentityProvider; limits: Limits },
  { id, language }: { id: string; language: string },
  change: Omit<EmailChange, 'language'>,
): Promise<void> {
  await countProfileChange({ db, limits }, id);
  await identity.sendEmailChangeLink({ ...change, language });
}

/**
 * Refuses a token from a sign-in before the sessions of its account were ended.
 *
 * @throws AppError `token_invalid`
 */
export function refuseEndedSession(
  { tokens_valid_after: validAfter }: { tokens_valid_after: Date | null },
  { signedInAt }: Pick<VerifiedIdentity, 'signedInAt'>,
): void {
  if (validAfter && signedInAt < validAfter.getTime()) throw new AppError('token_invalid');
}

/** Refuses tokens from sign-ins before a moment; one that is refused already stays refused. */
export async function endSessionsBefore(
  tx: Transaction,
  accountId: string,
  moment: Date,
): Promise<void> {
  const { rowCount } = await tx.query(
    `update account set tokens_valid_after = $2
     where id = $1 and (tokens_valid_after is null or tokens_valid_after < $2)`,
    [accountId, moment],
  );
  if (rowCount === 1) await emit(tx, 'account.changed', { account_id: accountId });
}

/**
 * The moment from which on sign-ins count when sessions are ended now, in SQL. Times of sign-ins are
 * whole seconds: one within the current second may have come before or after.
 */
export const NEXT_SECOND = `date_trunc('second', clock_timestamp()) + interval '1 second'`;

/**
 * Refuses all tokens that there are. The account's live updates end as well.
 *
 * @returns in how many milliseconds a new sign-in counts: 1000 at most
 */
async function endSessions(tx: Transaction, accountId: string): Promise<number> {
  const { rows } = await tx.query<{ ms: number }>(
    `update account set tokens_valid_after = greatest(tokens_valid_after, ${NEXT_SECOND})
     where id = $1
     returning ceil(extract(epoch from tokens_valid_after - clock_timestamp()) * 1000)::int as ms`,
    [accountId],
  );
  await emit(tx, 'account.changed', { account_id: accountId });
  return rows[0]?.ms ?? 0;
}

/** The provider looks up so many users in one call. */
const AT_A_TIME = 100;

/**
 * Ends sessions that were ended at the sign-in service without us: a password chosen by a link, tokens
 * revoked, a user disabled or removed in the Firebase console.
 *
 * @param sessions users who are signed in, each with the time of the oldest sign-in among their tokens, in
 *   milliseconds since 1970
 * @throws AppError `identity_provider_failed`
 */
export async function endOutsideSessions(
  { db, identity }: { db: Database; identity: Pick<IdentityProvider, 'findUsers'> },
  sessions: ReadonlyMap<string, number>,
): Promise<void> {
  const uids = [...sessions.keys()];
  for (let start = 0; start < uids.length; start += AT_A_TIME) {
    const part = uids.slice(start, start + AT_A_TIME);
    const found = await identity.findUsers(part);
    const users = new Map(found.map((user) => [user.uid, user]));
    for (const uid of part) {
      const user = users.get(uid);
      if (isEnded(user, sessions.get(uid)!)) await endAt(db, uid, user);
    }
  }
}

function isEnded(user: IdentityUser | undefined, signedInAt: number): boolean {
  if (!user || user.disabled) return true;
  return user.tokensValidAfter !== null && user.tokensValidAfter.getTime() > signedInAt;
}

async function endAt(db: Database, uid: string, user: IdentityUser | undefined): Promise<void> {
  await withTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `select id from account where uid = $1 and state = 'active' for update`,
      [uid],
    );
    const [account] = rows;
    if (!account) return;
    if (!user || user.disabled) await endSessions(tx, account.id);
    else await endSessionsBefore(tx, account.id, user.tokensValidAfter!);
  });
}
