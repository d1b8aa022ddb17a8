import { setTimeout as sleep } from 'node:timers/promises';
import { withTransaction, type Database } from '#database/pool.ts';
import type { EmailChange, IdentityProvider } from '#identity/identity-provider.ts';
import { refuseWeakPassword } from '#identity/password-rule.ts';
import type { Limits } from '#limits/limits.ts';
import type { Account } from './account.ts';
import { countProfileChange } from './limited-calls.ts';
import { endSessions } from './sessions.ts';

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
