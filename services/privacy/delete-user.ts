import { lockAccount, refuseSelf } from '#accounts/access.ts';
import { lockAccount as lockById } from '#accounts/account.ts';
import { beginDeletion, endDeletion, placeholderOf } from '#accounts/account-deletion.ts';
import { eraseLimitedCalls } from '#accounts/limited-calls.ts';
import { NEXT_SECOND, refuseEndedSession } from '#accounts/sessions.ts';
import type { Administrator } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { eraseRejected } from '#events/rejected-events.ts';
import type { IdentityUser } from '#identity/identity-provider.ts';
import { closeOpenPayment } from '#payments/close-payment.ts';
import type { PaymentDeps } from '#payments/payment.ts';
import { anonymizePayments } from '#payments/personal-data.ts';
import { eraseQuizzes } from '#quiz/personal-data.ts';

/** Somebody who deletes their own account, to whom that is confirmed. */
interface Themselves {
  /** When they last proved who they are, in milliseconds since 1970. */
  signedInAt: number;
  /** The address that they have shown to be theirs; null for none: anybody can sign up with any. */
  verifiedEmail: string | null;
}

/** An administrator, whose deed is recorded, or the person themselves. */
type DeletedBy = Administrator | Themselves;

/**
 * Deletes a user: their learning data and their identity. What they paid stays, without name and
 * address, and so does what their answers have taught about the questions. The owner of the address is told by
 * mail (`beginDeletion`).
 *
 * The account goes first, and becomes a tombstone: from then on nobody gets in, and a token that
 * still lives does not bring it back. Whatever writes for an account locks it
 * (`requireActiveAccount`), so nothing is added to a tombstone. The identity goes last: until then the user is
 * in the administrator's list. A deletion that was interrupted can be repeated, and is completed by the
 * workers.
 *
 * @throws AppError `cannot_delete_self`, `user_not_found`, `identity_provider_failed`,
 *   `payment_provider_failed` when a payment that was begun cannot be cancelled, `account_disabled`
 *   when a learner whom an administrator keeps out deletes their account, `token_invalid` when their
 *   session was ended
 */
export async function deleteUser(deps: PaymentDeps, uid: string, by: DeletedBy): Promise<void> {
  const { db, identity: provider } = deps;
  if (!isOwn(by)) refuseSelf('cannot_delete_self', by, { uid });
  const identity = await provider.findByUid(uid);
  const accountId = await withTransaction(db, (tx) => bury(tx, uid, identity, by));
  await completeDeletion(deps, { accountId, uid });
}

/** @returns the account's id */
async function bury(
  tx: Transaction,
  uid: string,
  identity: IdentityUser | null,
  by: DeletedBy,
): Promise<string> {
  const account = await lockAccount(tx, uid, identity);
  const email = identity?.email ?? account.email;
  if (!isOwn(by)) {
    refuseSelf('cannot_delete_self', by, { uid, email });
    refuseSelf('cannot_delete_self', by, { uid, email: account.email });
  }
  const { id, state } = account;
  if (state === 'deleted') return id;
  const placeholder = placeholderOf(id);
  await eraseRejected(tx, id, account.email);
  if (isOwn(by)) {
    if (state === 'disabled') throw new AppError('account_disabled');
    refuseEndedSession(account, by);
  }
  const proved = identity?.emailVerified ? identity.email : null;
  const verified = isOwn(by) ? by.verifiedEmail : proved;
  const who = isOwn(by) ? 'learner' : 'administrator';
  await beginDeletion(tx, id, { by: who, verified, placeholder });
  await tx.query(
    `update account set state = 'deleted', email = $2, display_name = null,
       tokens_valid_after = ${NEXT_SECOND} where id = $1`,
    [id, placeholder],
  );
  await anonymizePayments(tx, id, { email: isOwn(by) ? verified : account.email, placeholder });
  await emit(tx, 'account.changed', { account_id: id });
  if (!isOwn(by)) {
    await recordAction(tx, { actor: by, action: 'user.deleted', subject: email || uid });
  }
  return id;
}

const isOwn = (by: DeletedBy): by is Themselves => 'verifiedEmail' in by;

/**
 * Completes a deletion that was interrupted.
 *
 * @throws AppError `identity_provider_failed`, `payment_provider_failed`
 */
export async function resumeDeletion(deps: PaymentDeps, accountId: string): Promise<void> {
  const uid = await uidOf(deps.db, accountId);
  if (uid !== null) await completeDeletion(deps, { accountId, uid });
}

/** Null unless the account is a tombstone whose deletion is not complete. */
async function uidOf(db: Database, accountId: string): Promise<string | null> {
  const { rows } = await db.query<{ uid: string }>(
    `select uid from account join account_deletion on account_id = account.id
     where account.id = $1 and state = 'deleted' and completed_at is null`,
    [accountId],
  );
  return rows[0]?.uid ?? null;
}

/**
 * Does what is left to do for an account that is a tombstone already; again changes nothing.
 *
 * @throws AppError `identity_provider_failed`, `payment_provider_failed`
 */
async function completeDeletion(
  deps: PaymentDeps,
  { accountId, uid }: { accountId: string; uid: string },
): Promise<void> {
  const { db, identity: provider } = deps;
  await closeOpenPayment(deps, accountId);
  while (await withTransaction(db, (tx) => erasePart(tx, accountId)));
  await provider.deleteUser(uid);
  const placeholder = placeholderOf(accountId);
  await withTransaction(db, async (tx) => {
    // A registration under the address may have been settled for this account meanwhile.
    await anonymizePayments(tx, accountId, { email: placeholder, placeholder });
    await endDeletion(tx, accountId, placeholder);
  });
}

/** Two deletions of one account take turns. @returns whether something is left */
async function erasePart(tx: Transaction, accountId: string): Promise<boolean> {
  await lockById(tx, accountId);
  // Before the quizzes that they may name.
  await eraseRejected(tx, accountId);
  await eraseLimitedCalls(tx, accountId);
  return eraseQuizzes(tx, accountId);
}
