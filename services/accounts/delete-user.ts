import { recordAction } from '#audit/record-action.ts';
import { withTransaction, type Database, type Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/emit.ts';
import { eraseRejected } from '#events/rejected-events.ts';
import { eraseReports } from '#feedback/erase-reports.ts';
import type { IdentityUser } from '#identity/identity-provider.ts';
import { anonymizePayments } from '#payments/anonymize-payments.ts';
import { closeOpenPayment } from '#payments/close-open-payment.ts';
import type { PaymentDeps } from '#payments/payment.ts';
import { eraseQuizzes } from '#quiz/erase-quizzes.ts';
import type { Administrator } from './access.ts';
import { lockAccount, refuseSelf } from './change-account.ts';
import { eraseLimitedCalls } from './limited-calls.ts';
import { beginOwnDeletion, completeOwnDeletion } from './own-deletion.ts';

/** Somebody who deletes their own account, to whom that is confirmed. */
export interface Themselves {
  /** The address that they have shown to be theirs; null for none: anybody can sign up with any. */
  verifiedEmail: string | null;
}

/** An administrator, whose deed is recorded, or the person themselves. */
export type DeletedBy = Administrator | Themselves;

const isOwn = (by: DeletedBy): by is Themselves => 'verifiedEmail' in by;

/**
 * Deletes a user: their learning data and their identity. What they paid stays, without name and
 * address, and so does what their answers have taught about the questions.
 *
 * The account goes first, and becomes a tombstone: from then on nobody gets in, and a token that
 * still lives does not bring it back. The identity goes last: until then the user is in the
 * administrator's list, so that a deletion that was interrupted is seen, and can be repeated.
 *
 * @throws AppError `cannot_delete_self`, `user_not_found`, `identity_provider_failed`,
 *   `payment_provider_failed` when a payment that was begun cannot be cancelled, `account_disabled`
 *   when somebody whom an administrator keeps out deletes themselves
 */
export async function deleteUser(deps: PaymentDeps, uid: string, by: DeletedBy): Promise<void> {
  const { db, identity: provider } = deps;
  if (!isOwn(by)) refuseSelf('cannot_delete_self', by, { uid });
  const identity = await provider.findByUid(uid);
  const accountId = await withTransaction(db, (tx) => bury(tx, uid, identity, by));
  await completeDeletion(deps, { accountId, uid });
}

/**
 * Does what is left to do for an account that is a tombstone already; again changes nothing.
 *
 * @throws AppError `identity_provider_failed`, `payment_provider_failed`
 */
export async function completeDeletion(
  deps: PaymentDeps,
  { accountId, uid }: { accountId: string; uid: string },
): Promise<void> {
  const { db, identity: provider } = deps;
  await closeOpenPayment(deps, accountId);
  await eraseTraces(db, accountId);
  await provider.deleteUser(uid);
  // What a request that was under way at the beginning has still written.
  await eraseTraces(db, accountId);
  const placeholder = placeholderOf(accountId);
  await withTransaction(db, (tx) =>
    anonymizePayments(tx, accountId, { email: placeholder, placeholder }),
  );
  await closeOpenPayment(deps, accountId);
  await withTransaction(db, (tx) => completeOwnDeletion(tx, accountId, placeholder));
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
    await beginOwnDeletion(tx, id, { verified: by.verifiedEmail, nobody: placeholder });
  }
  await tx.query(
    `update account set state = 'deleted', email = $2, display_name = null where id = $1`,
    [id, placeholder],
  );
  const own = isOwn(by) ? by.verifiedEmail : account.email;
  await anonymizePayments(tx, id, { email: own, placeholder });
  await emit(tx, 'account.changed', { account_id: id });
  if (!isOwn(by)) {
    await recordAction(tx, { actor: by, action: 'user.deleted', subject: email || uid });
  }
  return id;
}

/** Nobody can ever have an address under .invalid (RFC 2606). */
const placeholderOf = (accountId: string) => `deleted-${accountId}@invalid`;

async function eraseTraces(db: Database, accountId: string): Promise<void> {
  await eraseRejected(db, accountId);
  // Reports name the quiz that they were made in.
  await eraseReports(db, accountId);
  await eraseQuizzes(db, accountId);
  await eraseLimitedCalls(db, accountId);
}
