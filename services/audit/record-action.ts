import { requireActiveActor, nameOf, type Actor } from '#accounts/access.ts';
import type { Transaction } from '#database/pool.ts';
import type { AuditAction } from './actions.ts';

export interface Action {
  actor: Actor;
  action: AuditAction;
  subject: string;
  /** Small facts; no password, no token, no card. */
  details?: Record<string, unknown>;
}

/**
 * Keeps what an administrator does, in the transaction that does it: both happen or neither. Nothing
 * happens when the administrator's account was closed since the call began.
 *
 * @throws AppError `account_disabled`
 */
export async function recordAction(
  tx: Transaction,
  { actor, action, subject, details = {} }: Action,
): Promise<void> {
  await requireActiveActor(tx, actor);
  await tx.query(
    'insert into audit_entry (actor, action, subject, details) values ($1, $2, $3, $4)',
    [nameOf(actor), action, subject, details],
  );
}
