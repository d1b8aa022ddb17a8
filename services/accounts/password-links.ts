import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppLanguage, DEFAULT_LANGUAGE } from '@proveklar/contract/language.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import type { IdentityProvider, IdentityUser } from '#identity/identity-provider.ts';
import { throwIfWeakPassword } from '#identity/password-rule.ts';
import { rateLimitAddress } from '#limits/client-address.ts';
import {
  acquireCallerLocks,
  ALL_NETWORKS_FACTOR,
  type Limits,
  secondsUntilAllowed,
  throwIfLimited,
} from '#limits/limits.ts';
import { lockOrCreateAccount } from './access.ts';
import { endSessions } from './sessions.ts';

// Links to choose a password (docs/decisions/0034-password-mails-are-ours.md). A request is stored and a worker
// mails the link. Only the mail has the token; the database has its hash.

/** Why a link is mailed. */
export type PasswordLinkReason =
  /** A person asked for it on the sign-in page. */
  | 'forgotten'
  /** A payment created the account without a password. */
  | 'registration'
  /** A person registered without payment under an address that has an identity. */
  | 'registered_again'
  | 'administrator';

export interface PasswordRequest {
  id: string;
  email: string;
  reason: PasswordLinkReason;
  language: AppLanguage;
}

interface Forgotten {
  email: string;
  language?: AppLanguage | undefined;
  /** The caller's IP address. */
  clientAddress: string;
}

/**
 * Requests the link for a person who has forgotten a password. A worker looks up who has the address. Nothing
 * here depends on it, so that neither the answer nor its time reveals who is registered.
 *
 * @throws AppError `rate_limited` with `retry_after_s`
 */
export async function forgotPassword(
  { db, limits }: { db: Database; limits: Limits },
  { clientAddress, language = DEFAULT_LANGUAGE, ...request }: Forgotten,
): Promise<void> {
  const email = request.email.toLowerCase();
  const address = rateLimitAddress(clientAddress);
  await withTransaction(db, async (tx) => {
    await acquireCallerLocks(tx, { clientAddress: address, email, accountId: null });
    const { rows } = await tx.query<Record<'address' | 'own' | 'anywhere', number>>(
      `select ${secondsUntilAllowed('password_request', 'created_at', 'client_address = $1', 3)} as address,
         ${secondsUntilAllowed('password_request', 'created_at', 'client_address = $1 and email = $2', 4)} as own,
         ${secondsUntilAllowed('password_request', 'created_at', ON_A_PAGE, 5)} as anywhere`,
      [address, email, limits.perAddress, limits.perEmail, limits.perEmail * ALL_NETWORKS_FACTOR],
    );
    throwIfLimited(Math.max(...Object.values(rows[0]!)));
    await insertRequest(tx, { email, reason: 'forgotten', language, clientAddress: address });
  });
}

const ON_A_PAGE = 'email = $2 and client_address is not null';

/** Requests the link for a person who did not ask for it on a page. Not rate limited. */
export async function requestPasswordLink(
  tx: Transaction,
  request: Omit<PasswordRequest, 'id'>,
): Promise<void> {
  await insertRequest(tx, { ...request, clientAddress: null });
}

async function insertRequest(
  tx: Transaction,
  request: Omit<PasswordRequest, 'id'> & { clientAddress: string | null },
): Promise<void> {
  const { email, reason, language, clientAddress } = request;
  const { rows } = await tx.query<{ id: string }>(
    `insert into password_request (email, reason, language, client_address)
     values (lower($1), $2, $3, $4) returning id`,
    [email, reason, language, clientAddress],
  );
  await emit(tx, 'password.link_requested', { request_id: rows[0]!.id });
}

/** A request by its id; null when it was deleted. */
export async function findPasswordRequest(
  db: Queryable,
  id: string,
): Promise<PasswordRequest | null> {
  const { rows } = await db.query<PasswordRequest>(
    'select id, email, reason, language from password_request where id = $1',
    [id],
  );
  return rows[0] ?? null;
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Makes a token with which a password can be chosen once, within an hour. Every attempt to send a mail makes its
 * own; the first that is used makes the others void.
 */
export async function createPasswordToken(
  db: Queryable,
  { uid, email }: Pick<IdentityUser, 'uid' | 'email'>,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.query(
    `insert into password_token (token_hash, uid, email, expires_at)
     values ($1, $2, $3, clock_timestamp() + interval '1 hour')`,
    [hashOf(token), uid, email],
  );
  return token;
}

interface PasswordToken {
  uid: string;
  email: string;
  used: boolean;
  expired: boolean;
}

interface LinkDeps {
  db: Database;
  identity: IdentityProvider;
}

/**
 * The owner of a mailed link.
 *
 * @throws AppError `password_link_invalid`; details: `reason`, one of `used`, `expired`, `unknown`;
 *   `identity_provider_failed`
 */
export async function readPasswordLink(
  { db, identity }: LinkDeps,
  token: string,
): Promise<IdentityUser> {
  const { rows } = await db.query<PasswordToken>(
    `select uid, email, used_at is not null as used, expires_at <= clock_timestamp() as expired
     from password_token where token_hash = $1`,
    [hashOf(token)],
  );
  const [link] = rows;
  if (!link) throw invalid('unknown');
  if (link.used) throw invalid('used');
  if (link.expired) throw invalid('expired');
  const user = await identity.findByUid(link.uid);
  if (!user || user.disabled || user.email !== link.email) throw invalid('unknown');
  return user;
}

function invalid(reason: 'used' | 'expired' | 'unknown'): AppError {
  return new AppError('password_link_invalid', { details: { reason } });
}

/**
 * Sets the password of the owner of a mailed link, and revokes all sessions. The link also proves the address.
 * When this resolves, older tokens are refused and a token from a new sign-in is accepted. The link stays valid
 * after an error.
 *
 * @returns the address to sign in with
 * @throws AppError `password_link_invalid`, `password_refused`, `account_disabled`; `identity_provider_failed`,
 *   after which the password may have changed, and old tokens are then refused within a minute
 */
export async function choosePassword(
  deps: LinkDeps,
  { token, password }: { token: string; password: string },
): Promise<string> {
  const { db, identity } = deps;
  const user = await readPasswordLink(deps, token);
  await throwIfWeakPassword(identity, password, {
    email: user.email,
    username: user.displayName ?? undefined,
  });
  await claimToken(db, token);
  try {
    const accountId = await withTransaction(db, async (tx) => {
      const account = await lockOrCreateAccount(tx, user.uid, user);
      if (account.state !== 'active') throw new AppError('account_disabled');
      return account.id;
    });
    await identity.choosePassword(user.uid, password);
    await identity.endSessions(user.uid);
    const leftMs = await withTransaction(db, async (tx) => {
      await tx.query('update account set email_verified = true where id = $1', [accountId]);
      // The first password of a new account is no news to its owner.
      if (user.hasPassword || user.hasSignedIn) await announceChange(tx, accountId);
      await voidPasswordLinks(tx, user.uid);
      return endSessions(tx, accountId);
    });
    await sleep(Math.max(0, leftMs));
    return user.email;
  } catch (error) {
    await db.query('update password_token set used_at = null where token_hash = $1', [
      hashOf(token),
    ]);
    throw error;
  }
}

/** Requests the mail that tells the owner of an account that its password was changed. */
export async function announceChange(tx: Transaction, accountId: string): Promise<void> {
  const changed = { account_id: accountId, changed_at: new Date().toISOString() };
  await emit(tx, 'password.changed', changed);
}

/** Of concurrent callers, one gets the token. */
async function claimToken(db: Queryable, token: string): Promise<void> {
  const { rowCount } = await db.query(
    `update password_token set used_at = clock_timestamp()
     where token_hash = $1 and used_at is null and expires_at > clock_timestamp()`,
    [hashOf(token)],
  );
  if (rowCount === 0) throw invalid('used');
}

/** Makes the mailed links of an identity void: its password has changed. */
export async function voidPasswordLinks(tx: Transaction, uid: string): Promise<void> {
  await tx.query(
    'update password_token set used_at = clock_timestamp() where uid = $1 and used_at is null',
    [uid],
  );
}

/** Deletes the mailed links of an identity, and the requests under its address. */
export async function erasePasswordLinks(
  tx: Transaction,
  { uid, emails }: { uid: string; emails: readonly string[] },
): Promise<void> {
  await tx.query('delete from password_token where uid = $1', [uid]);
  await tx.query('delete from password_request where email = any ($1)', [emails]);
}

/**
 * Deletes old requests and links. A request that no person can repeat is kept as long as a mail is retried, which
 * is three days.
 */
export async function forgetPasswordLinks(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from password_request where created_at < clock_timestamp()
       - case when client_address is null then interval '4 days' else interval '1 day' end`,
  );
  await tx.query(
    `delete from password_token where created_at < clock_timestamp() - interval '1 day'`,
  );
}

/** Requests for a link under an address, which are stored for a day or four; without the network address. */
export async function exportPasswordRequests(db: Queryable, email: string) {
  const { rows } = await db.query<{ created_at: Date }>(
    'select created_at from password_request where email = $1 order by created_at desc',
    [email],
  );
  return rows.map(({ created_at }) => ({ requested_at: created_at.toISOString() }));
}
