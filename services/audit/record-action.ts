import type { Transaction } from '#database/pool.ts';
import type { AuditAction } from './actions.ts';

export interface Action {
  /** The administrator's address. */
  actor: string;
  action: AuditAction;
  subject: string;
  /** Small facts; no password, no token, no card. */
  details?: Record<string, unknown>;
}

/** Keeps what an administrator does, in the transaction that does it: both happen or neither. */
export async function recordAction(
  tx: Transaction,
  { actor, action, subject, details = {} }: Action,
): Promise<void> {
  await tx.query(
    'insert into audit_entry (actor, action, subject, details) values ($1, $2, $3, $4)',
    [actor.toLowerCase(), action, subject, details],
  );
}
