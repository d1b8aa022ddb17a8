import { type Actor, nameOf, requireActiveActor } from './actor.ts';
import type { Queryable, Transaction } from '#database/pool.ts';

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

/**
 * Everything that an administrator does and that is kept. `subject` names what it was done to, and
 * `details` the small facts: what was before, what is now.
 */
export const AUDIT_ACTIONS = [
  /** Subject: the import's id. */
  'import.started',
  'import.cancelled',
  'import.confirmed',
  'import.discarded',
  'import.undone',
  'import.near_duplicates_cancelled',
  /** Subject: the question's id. */
  'question.validated',
  'question.unvalidated',
  'question.edited',
  'question.key_corrected',
  'question.quality_dismissed',
  'question.near_duplicate_dismissed',
  'question.near_duplicate_reopened',
  'question.deleted',
  'question.retired',
  'question.restored',
  /** Subject: the change's id; details: the action and how many. */
  'questions.changed',
  'questions.exported',
  /** Subject: the user's address; details of `user.disabled`: the note, if any. */
  'user.deleted',
  'user.disabled',
  'user.enabled',
  'user.password_link_sent',
  /** Subject: the payment's id. */
  'payment.refund_requested',
  'payment.synced',
  /** Subject: the comparison's id. */
  'payment.reconciliation_requested',
  /** Subject: the user's address, or `active` for everybody active; details: days, accounts. */
  'days.granted',
  /** Subject: `settings`, or the name of an exam profile. */
  'settings.updated',
  'exam_profile.updated',
  /** Subject: the code of the language. */
  'language.offered',
  'language.withdrawn',
  /** Subject: the id of the question whose reports were closed. */
  'feedback.closed',
  'feedback.reopened',
  /** By an operator. Subject: the event's id; details: its name, the queue and why it was set aside. */
  'event.retried',
  'event.dismissed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

type Changes = Record<string, { before: unknown; after: unknown }>;

/** The fields whose value would become another, each with what it was and what it will be. */
export function changesBetween<T extends object>(before: T, after: Partial<T>): Changes {
  return Object.fromEntries(
    Object.entries(after).flatMap(([field, value]) => {
      const was = before[field as keyof T];
      return value === undefined || value === was ? [] : [[field, { before: was, after: value }]];
    }),
  );
}
