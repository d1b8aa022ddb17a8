import { setTimeout as sleep } from 'node:timers/promises';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import { type Database, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import type { EmailChange, IdentityProvider } from '#identity/identity-provider.ts';
import { throwIfWeakPassword } from '#identity/password-rule.ts';
import type { Limits } from '#limits/limits.ts';
import { type Account, readAccount } from './account.ts';
import { countProfileChange } from './limited-calls.ts';
import { announceChange, voidPasswordLinks } from './password-links.ts';
import { endSessions } from './sessions.ts';
import type { UserDeps } from './users.ts';

interface ProfileChange {
  /** Null removes the name; undefined keeps it. */
  displayName?: string | null | undefined;
  /** The language of mails to the learner; undefined keeps it. */
  language?: AppLanguage | undefined;
}

/**
 * Changes the profile of a learner. The name is also stored at the sign-in service, after our commit. If that
 * fails, our change stays, and the same call retries it.
 *
 * @throws AppError `validation_failed` for a blank name; `rate_limited` with `retry_after_s`;
 *   `identity_provider_failed` with `details.saved` when the name is saved only here
 */
export async function changeProfile(
  { db, identity, limits }: UserDeps & { limits: Limits },
  { id, uid }: Pick<Account, 'id' | 'uid'>,
  { displayName, language }: ProfileChange,
): Promise<Account> {
  const name = displayName === undefined ? undefined : nameOf(displayName);
  await countProfileChange({ db, limits }, id);
  const account = await withTransaction(db, async (tx) => {
    // An account that is deleted or disabled meanwhile is not changed.
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
  if (name !== undefined) await setProviderName(identity, uid, name);
  return account;
}

function nameOf(displayName: string | null): string | null {
  const name = displayName?.trim();
  if (name !== '') return name ?? null;
  throw new AppError('validation_failed', {
    message: 'display_name is blank; null removes the name',
    details: { field: 'display_name', part: 'body' },
  });
}

async function setProviderName(
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
 * Changes a learner's password and revokes all sessions, including the caller's. When this resolves, older
 * tokens are refused and a token from a new sign-in is accepted. Idempotent.
 *
 * @throws AppError `password_refused`; `rate_limited` with `retry_after_s`; `identity_provider_failed`, after
 *   which the password may have changed, and old tokens are then refused within a minute
 */
export async function changePassword(
  { db, identity, limits }: { db: Database; identity: IdentityProvider; limits: Limits },
  { id, uid, email, display_name }: Pick<Account, 'id' | 'uid' | 'email' | 'display_name'>,
  password: string,
): Promise<void> {
  await throwIfWeakPassword(identity, password, { email, username: display_name ?? undefined });
  await countProfileChange({ db, limits }, id);
  await identity.setPassword(uid, password);
  await identity.endSessions(uid);
  const leftMs = await withTransaction(db, async (tx) => {
    await voidPasswordLinks(tx, uid);
    await announceChange(tx, id);
    return endSessions(tx, id);
  });
  await sleep(Math.max(0, leftMs));
}

/**
 * Makes the sign-in service mail a link to a learner's new address. The old address and the sessions stay
 * valid until the link is opened, so that a typing error locks no learner out. The first token with the new
 * address then revokes the older sessions.
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
