import type { Actor, Administrator } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { lockOrCreateAccount, refuseSelf } from './access.ts';
import { type Owners, refuseColleague } from './portal-members.ts';
import { requestPasswordLink } from './password-links.ts';
import { NEXT_SECOND } from './sessions.ts';
import { readUser, type User, type UserDeps } from './users.ts';

/**
 * Disables a user from the next request on: the account is refused, its live updates end, and the identity
 * provider refuses the sign-in. Old tokens stay refused after the user is enabled again. The user is
 * notified by mail. Idempotent.
 *
 * @param reason is in the mail and in the audit log
 * @throws AppError `cannot_disable_self`; `admin_only` for a person who works in the portal; `user_not_found`,
 *   also for a deleted user; `identity_provider_failed`, although our account is disabled by then
 */
export async function disableUser(
  deps: UserDeps & Owners,
  uid: string,
  by: Administrator,
  reason?: string,
): Promise<User> {
  refuseSelf('cannot_disable_self', by, { uid });
  return setDisabled(deps, uid, by, { disabled: true, reason: reason?.trim() });
}

/**
 * Enables a disabled user, who is notified by mail. Idempotent.
 *
 * @throws AppError `admin_only`; `user_not_found`, also for a deleted user; `identity_provider_failed`
 */
export async function enableUser(
  deps: UserDeps & Owners,
  uid: string,
  by: Administrator,
): Promise<User> {
  return setDisabled(deps, uid, by, { disabled: false });
}

async function setDisabled(
  deps: UserDeps & Owners,
  uid: string,
  by: Administrator,
  { disabled, reason }: { disabled: boolean; reason?: string | undefined },
): Promise<User> {
  const identity = await deps.identity.findByUid(uid);
  const state = disabled ? 'disabled' : 'active';
  await withTransaction(deps.db, async (tx) => {
    const account = await lockOrCreateAccount(tx, uid, identity);
    if (account.state === 'deleted') throw new AppError('user_not_found');
    const email = identity?.email ?? account.email;
    await refuseColleague(tx, deps, by, [email, account.email]);
    if (disabled) {
      refuseSelf('cannot_disable_self', by, { uid, email });
      refuseSelf('cannot_disable_self', by, { uid, email: account.email });
    }
    const isSame = account.state === state && identity?.disabled === disabled;
    if (isSame) return;
    await tx.query(
      `update account set state = $2,
         tokens_valid_after = case when $2 = 'disabled' then ${NEXT_SECOND} else tokens_valid_after end
       where id = $1`,
      [account.id, state],
    );
    await emit(tx, 'account.changed', { account_id: account.id });
    const entryId = await recordAction(tx, {
      actor: by,
      action: disabled ? 'user.disabled' : 'user.enabled',
      subject: email || uid,
      details: reason ? { note: reason } : {},
    });
    // The account had this state already; only the identity provider has to be updated.
    if (account.state === state) return;
    const payload = { account_id: account.id };
    if (disabled) await emit(tx, 'account.disabled', { ...payload, entry_id: entryId });
    else await emit(tx, 'account.enabled', payload);
  });
  // After the commit: the account's state counts from then on, whether or not the provider answers. The list
  // shows a user as disabled when either says so, so that an administrator sees it and can repeat the call.
  await deps.identity.setDisabled(uid, disabled);
  const user = await readUser(deps, uid);
  if (!user) throw new AppError('user_not_found');
  return user;
}

/**
 * Requests the mail with a link to choose a password for a user.
 *
 * @throws AppError `user_not_found`, also for a deleted user and for one without an address at the sign-in
 *   service; `identity_provider_failed`
 */
export async function sendPasswordLink(
  { db, identity }: UserDeps,
  { uid, actor }: { uid: string; actor: Actor },
): Promise<void> {
  const user = await identity.findByUid(uid);
  if (!user?.email) throw new AppError('user_not_found');
  await withTransaction(db, async (tx) => {
    const account = await lockOrCreateAccount(tx, uid, user);
    if (account.state === 'deleted') throw new AppError('user_not_found');
    await recordAction(tx, { actor, action: 'user.password_link_sent', subject: user.email });
    const { language } = account;
    await requestPasswordLink(tx, { email: user.email, reason: 'administrator', language });
  });
}
