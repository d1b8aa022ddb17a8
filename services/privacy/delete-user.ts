import { lockOrCreateAccount, refuseSelf } from '#accounts/access.ts';
import { lockAccountById, readAccount } from '#accounts/account.ts';
import { beginDeletion, endDeletion, placeholderOf } from '#accounts/account-deletion.ts';
import { lockDueAccount } from '#accounts/inactivity.ts';
import { eraseLimitedCalls } from '#accounts/limited-calls.ts';
import { erasePasswordLinks } from '#accounts/password-links.ts';
import { type Owners, refuseColleague } from '#accounts/portal-members.ts';
import { NEXT_SECOND, refuseEndedSession } from '#accounts/sessions.ts';
import type { Administrator } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { eraseRejected } from '#events/rejected-events.ts';
import type { IdentityUser } from '#identity/identity-provider.ts';
import { eraseLearning } from '#learning/personal-data.ts';
import { eraseNewsConsent } from '#messages/news-consent.ts';
import { closeOpenPayment } from '#payments/close-payment.ts';
import type { PaymentDeps } from '#payments/payment.ts';
import { anonymizePayments } from '#payments/personal-data.ts';
import { eraseQuizzes } from '#quiz/personal-data.ts';

/** A user who deletes their own account. */
interface AccountOwner {
  /** When the user last signed in, in milliseconds since 1970. */
  signedInAt: number;
  /** The address that the user has proved; null for none. The deletion is confirmed there by mail. */
  verifiedEmail: string | null;
}

/**
 * An administrator, for the audit log; the user; or the service, for an account that is not used, or that is back
 * because the database was restored.
 */
type DeletedBy = Administrator | AccountOwner | 'inactivity' | 'restore';

/**
 * Deletes a user: the learning data and the identity. Payments stay, without name and address, and so do the
 * statistics of questions. The deletion is confirmed by mail (`beginDeletion`).
 *
 * First the account becomes a tombstone: sign-ins are refused from then on, and a token that is still valid
 * does not recreate it. Every write for an account locks it (`requireActiveAccount`), so nothing is added to
 * a tombstone. The identity is deleted last, so that the user stays in the administrator's list until then.
 * An interrupted deletion can be repeated, and the workers complete it.
 *
 * @throws AppError `cannot_delete_self`; `admin_only` for a person who works in the portal; `user_not_found`;
 *   `identity_provider_failed`; `payment_provider_failed` when an open payment cannot be cancelled;
 *   `account_disabled` when a disabled user deletes the own account; `token_invalid` when the session was revoked
 */
export async function deleteUser(
  deps: PaymentDeps & Owners,
  uid: string,
  by: DeletedBy,
): Promise<void> {
  const { db, identity: provider } = deps;
  if (isAdministrator(by)) refuseSelf('cannot_delete_self', by, { uid });
  const identity = await provider.findByUid(uid);
  const accountId = await withTransaction(db, async (tx) => {
    const { email } = await lockOrCreateAccount(tx, uid, identity);
    if (isAdministrator(by)) await refuseColleague(tx, deps, by, [identity?.email ?? email, email]);
    return makeTombstone(tx, uid, identity, by);
  });
  await completeDeletion(deps, { accountId, uid });
}

/**
 * Deletes an account that was not used for two years, as its user would. Idempotent.
 *
 * @param at the time; by default the database's
 * @returns whether it was deleted; not when it is used again
 * @throws AppError `identity_provider_failed`, `payment_provider_failed`
 */
export async function deleteInactive(
  deps: PaymentDeps,
  accountId: string,
  at: Date | null = null,
): Promise<boolean> {
  const { uid } = await readAccount(deps.db, accountId);
  const identity = await deps.identity.findByUid(uid);
  const used = [identity?.lastSignInAt, identity?.lastRefreshAt].map((time) => Number(time ?? 0));
  const usedAt = Math.max(...used) > 0 ? new Date(Math.max(...used)) : null;
  const isDeleted = await withTransaction(deps.db, async (tx) => {
    if (!(await lockDueAccount(tx, accountId, { usedAt, at }))) return false;
    await makeTombstone(tx, uid, identity, 'inactivity');
    return true;
  });
  if (isDeleted) await completeDeletion(deps, { accountId, uid });
  return isDeleted;
}

/**
 * Deletes an account again that a backup has brought back, and whose identity is gone. Idempotent.
 *
 * @returns whether it was there
 * @throws AppError `payment_provider_failed`
 */
export async function deleteRestored(
  deps: PaymentDeps,
  { accountId, uid }: { accountId: string; uid: string },
): Promise<boolean> {
  const isDeleted = await withTransaction(deps.db, async (tx) => {
    const { state } = await lockOrCreateAccount(tx, uid, null);
    if (state === 'deleted') return false;
    await makeTombstone(tx, uid, null, 'restore');
    return true;
  });
  if (isDeleted) await completeDeletion(deps, { accountId, uid });
  return isDeleted;
}

/** @returns the account's id */
async function makeTombstone(
  tx: Transaction,
  uid: string,
  identity: IdentityUser | null,
  by: DeletedBy,
): Promise<string> {
  const account = await lockOrCreateAccount(tx, uid, identity);
  const email = identity?.email ?? account.email;
  if (isAdministrator(by)) {
    refuseSelf('cannot_delete_self', by, { uid, email });
    refuseSelf('cannot_delete_self', by, { uid, email: account.email });
  }
  const { id, state } = account;
  if (state === 'deleted') return id;
  const placeholder = placeholderOf(id);
  await eraseRejected(tx, id, account.email);
  await erasePasswordLinks(tx, { uid, emails: [account.email, email] });
  if (isOwn(by)) {
    if (state === 'disabled') throw new AppError('account_disabled');
    refuseEndedSession(account, by);
  }
  const verifiedAtProvider = identity?.emailVerified ? identity.email : null;
  const verified = isOwn(by) ? by.verifiedEmail : verifiedAtProvider;
  await beginDeletion(tx, id, { by: roleOf(by), verified, placeholder });
  await tx.query(
    `update account set state = 'deleted', email = $2, display_name = null, last_seen_on = null,
       inactive_asked_at = null, inactive_warned_at = null,
       tokens_valid_after = ${NEXT_SECOND} where id = $1`,
    [id, placeholder],
  );
  const paidUnder = isAdministrator(by) || by === 'restore' ? account.email : verified;
  await anonymizePayments(tx, id, { email: paidUnder, placeholder });
  await emit(tx, 'account.changed', { account_id: id });
  if (isAdministrator(by)) {
    await recordAction(tx, { actor: by, action: 'user.deleted', subject: email || uid });
  }
  return id;
}

const isOwn = (by: DeletedBy): by is AccountOwner =>
  typeof by === 'object' && 'verifiedEmail' in by;

const isAdministrator = (by: DeletedBy): by is Administrator =>
  typeof by === 'object' && !isOwn(by);

function roleOf(by: DeletedBy) {
  if (by === 'inactivity' || by === 'restore') return by;
  return isOwn(by) ? 'learner' : 'administrator';
}

/**
 * Completes an interrupted deletion.
 *
 * @throws AppError `identity_provider_failed`, `payment_provider_failed`
 */
export async function resumeDeletion(deps: PaymentDeps, accountId: string): Promise<void> {
  const uid = await findIncompleteUid(deps.db, accountId);
  if (uid !== null) await completeDeletion(deps, { accountId, uid });
}

/** The uid of a tombstone whose deletion is not complete; otherwise null. */
async function findIncompleteUid(db: Database, accountId: string): Promise<string | null> {
  const { rows } = await db.query<{ uid: string }>(
    `select uid from account join account_deletion on account_id = account.id
     where account.id = $1 and state = 'deleted' and completed_at is null`,
    [accountId],
  );
  return rows[0]?.uid ?? null;
}

/**
 * Completes the deletion of an account that is a tombstone already. Idempotent.
 *
 * @throws AppError `identity_provider_failed`, `payment_provider_failed`
 */
async function completeDeletion(
  deps: PaymentDeps,
  { accountId, uid }: { accountId: string; uid: string },
): Promise<void> {
  const { db, identity: provider } = deps;
  await closeOpenPayment(deps, accountId);
  while (await withTransaction(db, (tx) => eraseBatch(tx, accountId)));
  // After the quizzes: a regrade that had read their answers has ended by now.
  await withTransaction(db, async (tx) => {
    await eraseLearning(tx, accountId);
    await eraseNewsConsent(tx, accountId);
  });
  await provider.deleteUser(uid);
  const placeholder = placeholderOf(accountId);
  await withTransaction(db, async (tx) => {
    // A link may have been mailed meanwhile.
    await erasePasswordLinks(tx, { uid, emails: [] });
    // A registration under the address may have been settled meanwhile.
    await anonymizePayments(tx, accountId, { email: placeholder, placeholder });
    await endDeletion(tx, accountId, placeholder);
  });
}

/**
 * Erases a batch of the account's data. The lock serializes concurrent deletions of the account.
 *
 * @returns whether there may be more data
 */
async function eraseBatch(tx: Transaction, accountId: string): Promise<boolean> {
  await lockAccountById(tx, accountId);
  // Before the quizzes, which rejected events may refer to.
  await eraseRejected(tx, accountId);
  await eraseLimitedCalls(tx, accountId);
  return eraseQuizzes(tx, accountId);
}
