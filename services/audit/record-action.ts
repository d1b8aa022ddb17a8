import { requireActiveActor, nameOf, type Actor } from './actor.ts';
import type { Queryable, Transaction } from '#database/pool.ts';
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
 * @returns the entry's id
 * @throws AppError `account_disabled`
 */
export async function recordAction(
  tx: Transaction,
  { actor, action, subject, details = {} }: Action,
): Promise<string> {
  await requireActiveActor(tx, actor);
  const { rows } = await tx.query<{ id: string }>(
    'insert into audit_entry (actor, action, subject, details) values ($1, $2, $3, $4) returning id',
    [nameOf(actor), action, subject, details],
  );
  return rows[0]!.id;
}

/** What the administrator typed to an action; null for nothing, and when it was forgotten. */
export async function readNote(db: Queryable, entryId: string): Promise<string | null> {
  const { rows } = await db.query<{ note: string | null }>(
    `select details ->> 'note' as note from audit_entry where id = $1`,
    [entryId],
  );
  return rows[0]?.note ?? null;
}

/** What stands in place of a name that was forgotten. */
const FORGOTTEN = '–';

/** The privacy page says it. */
const NAMES_KEPT = '2 years';
/** So few that a transaction stays small; there are hardly as many in a day. */
const FORGOTTEN_AT_ONCE = 1_000;

/**
 * Takes the names out of old entries: who did it, to whom, and the note that was typed. What was done and
 * when stays.
 */
export async function forgetNames(tx: Transaction): Promise<void> {
  await tx.query(
    `update audit_entry set actor = $1,
       subject = case when action like 'user.%' or strpos(subject, '@') > 0 then $1 else subject end,
       details = details - 'note'
     where id in (
       select id from audit_entry
       where at < clock_timestamp() - $2::interval and actor <> $1 order by at limit $3)`,
    [FORGOTTEN, NAMES_KEPT, FORGOTTEN_AT_ONCE],
  );
}
