import type { Role } from '@proveklar/contract/roles.ts';
import type { Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import type { VerifiedIdentity } from '#identity/verify-token.ts';

/** A person who works in the portal. */
export type Administrator = Pick<VerifiedIdentity, 'uid' | 'email'> & {
  /** As what the call was let in; by default as an owner. */
  role?: Role | null;
};

/**
 * Who performs an audited action: the signed-in administrator, or the name of a program that runs without
 * one (a seed, a test) and has no account.
 */
export type Actor = Administrator | string;

/** The name of an actor in the audit log: the address in lower case, or the program's name. */
export function nameOf(actor: Actor): string {
  return (typeof actor === 'string' ? actor : actor.email).toLowerCase();
}

/**
 * Checks the account of the administrator who acts, and locks it for the rest of the transaction, as
 * `requireActiveAccount` (services/accounts/access.ts) does for a learner.
 *
 * A role that an owner has taken away since the call began ends the action, too.
 *
 * @throws AppError `account_disabled`, also for a deleted account; `admin_only`
 */
export async function requireActiveActor(tx: Transaction, actor: Actor): Promise<void> {
  if (typeof actor === 'string') return;
  const { rows } = await tx.query<{ state: string }>(
    'select state from account where uid = $1 for key share',
    [actor.uid],
  );
  if (rows[0]?.state !== 'active') throw new AppError('account_disabled');
  const { role = 'owner', email } = actor;
  if (role === 'owner') return;
  const { rowCount } = await tx.query(
    'select from portal_member where email = $1 and role = $2 for key share',
    [email, role],
  );
  if (rowCount === 0) throw new AppError('admin_only');
}
