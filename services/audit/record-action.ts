import { type Actor, nameOf, requireActiveActor } from './actor.ts';
import type { Queryable, Transaction } from '#database/pool.ts';

export interface Action<Details extends object = object> {
  actor: Actor;
  action: AuditAction;
  subject: string;
  /** Small facts; no password, no token, no card. */
  details?: Known<Details>;
}

/** Details of which each field has a name in the log. */
type Known<Details> = Details & {
  [Field in Exclude<keyof Details, AuditField | 'changes'>]: never;
};

/**
 * Keeps what an administrator does, in the transaction that does it: both happen or neither. Nothing
 * happens when the administrator's account was closed since the call began.
 *
 * @returns the entry's id
 * @throws AppError `account_disabled`; `admin_only` when the role was taken away
 */
export async function recordAction<Details extends object = object>(
  tx: Transaction,
  { actor, action, subject, details }: Action<Details>,
): Promise<string> {
  await requireActiveActor(tx, actor);
  const { rows } = await tx.query<{ id: string }>(
    'insert into audit_entry (actor, action, subject, details) values ($1, $2, $3, $4) returning id',
    [nameOf(actor), action, subject, details ?? {}],
  );
  return rows[0]!.id;
}

/** The administrator's note on an action; null for none, or after it was deleted. */
export async function readNote(db: Queryable, entryId: string): Promise<string | null> {
  const { rows } = await db.query<{ note: string | null }>(
    `select details ->> 'note' as note from audit_entry where id = $1`,
    [entryId],
  );
  return rows[0]?.note ?? null;
}

/** The address of the administrator who acted; null after it was deleted. */
export async function readActor(db: Queryable, entryId: string): Promise<string | null> {
  const { rows } = await db.query<{ actor: string }>(
    'select actor from audit_entry where id = $1 and actor <> $2',
    [entryId, DELETED_NAME],
  );
  return rows[0]?.actor ?? null;
}

/** Replaces a name that was deleted. */
export const DELETED_NAME = '–';

/** The privacy page states it. */
const NAME_RETENTION = '2 years';
/** Keeps a transaction small; there are hardly as many entries in a day. */
const BATCH_SIZE = 1_000;

/**
 * Removes personal data from old entries: the actor, a user as the subject, the note, and the addresses that an export
 * of the log was filtered by. Keeps the action and its time.
 */
export async function forgetNames(tx: Transaction): Promise<void> {
  await tx.query(
    `update audit_entry set actor = $1,
       subject = case when action like 'user.%' or strpos(subject, '@') > 0 then $1 else subject end,
       details = details - 'note' #- '{filter,actor}' #- '{filter,subject}' #- '{filter,search}'
     where id in (
       select id from audit_entry
       where at < clock_timestamp() - $2::interval and actor <> $1 order by at limit $3)`,
    [DELETED_NAME, NAME_RETENTION, BATCH_SIZE],
  );
}

/**
 * All audited actions. `subject` identifies the object of the action, and `details` has its parameters: the
 * values before and after.
 */
export const AUDIT_ACTIONS = [
  /** Subject: the import's id. */
  'import.started',
  'import.cancelled',
  'import.confirmed',
  'import.discarded',
  'import.undone',
  'import.row_decided',
  'import.near_duplicates_cancelled',
  /** Subject: the question's id. */
  'question.validated',
  'question.unvalidated',
  'question.created',
  'question.edited',
  'question.aligned',
  'question.key_corrected',
  'question.quality_dismissed',
  'question.near_duplicate_dismissed',
  'question.near_duplicate_reopened',
  'question.deleted',
  'question.retired',
  'question.restored',
  /** Subject: the change's id; details: the action and the number of questions. */
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
  /** Subject: the period, a year or a month. */
  'ledger.exported',
  /** Subject: the user's address, or `active` for all active users; details: days, accounts. */
  'days.granted',
  /** Subject: the message's id; details: its kind, audience, languages and subject line, and how many get it. */
  'message.created',
  'message.edited',
  'message.deleted',
  'message.tested',
  'message.started',
  'message.stopped',
  /** Subject: `settings`, or the name of an exam profile. */
  'settings.updated',
  'exam_profile.updated',
  /** Subject: the code of the language. */
  'language.offered',
  'language.withdrawn',
  /** Subject: the word; of a file, `csv`, of our bank's glossary, `bank`, and the details count the rows. */
  'glossary.created',
  'glossary.updated',
  'glossary.deleted',
  'glossary.imported',
  'glossary.exported',
  'glossary.undone',
  /** Subject: the id of the release of the question bank; details count its questions. */
  'bank.applied',
  'bank.undone',
  /** Subject: the id of the question whose reports were closed. */
  'feedback.closed',
  'feedback.reopened',
  /** Subject: the address; details: the role before and after, of an acceptance the role. */
  'member.invited',
  'member.accepted',
  'member.withdrawn',
  /** By an operator. Subject: the id of the event, not its number in the list; details: its name, the queue and the reason. */
  'event.retried',
  'event.dismissed',
  /** Subject: the queue's name. */
  'queue.paused',
  'queue.resumed',
  /** Subject: `csv`; details: the filter. */
  'audit.exported',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** All fields of `details`, of `changes` and of filters in them. The portal's texts name them. */
export const AUDIT_FIELDS = [
  'accounts',
  'action',
  'actor',
  'after',
  'ages',
  'amount',
  'answer',
  'answers',
  'areas',
  'audience',
  'before',
  'cancelled',
  'changed',
  'checked_at',
  'count',
  'created',
  'days',
  'decision',
  'dry_run',
  'english',
  'entries',
  'event',
  'excludes',
  'explanation',
  'fields',
  'file_name',
  'filter',
  'forms',
  'from',
  'image_alt',
  'image_hash',
  'import_id',
  'incorrect',
  'incorrect_reasons',
  'kind',
  'language',
  'languages',
  'max_selected',
  'min_correct',
  'minutes',
  'norwegian',
  'note',
  'pass_mark',
  'price',
  'question',
  'questions_counted',
  'questions_shown',
  'queue',
  'reason',
  'rejected',
  'reported',
  'reports',
  'restored',
  'retired',
  'revision',
  'role',
  'row',
  'search',
  'seller_address',
  'seller_name',
  'seller_organisation_number',
  'seller_vat_registered',
  'service_days',
  'sibling',
  'similar_id',
  'since',
  'source_title',
  'source_url',
  'state',
  'subject',
  'support_email',
  'tags',
  'to',
  'topic',
  'total',
  'translation_of',
  'unchanged',
  'undone',
  'updated',
  'valid_from',
  'validation',
  'version',
  'word',
] as const;
type AuditField = (typeof AUDIT_FIELDS)[number];

type Changes<Field extends AuditField> = Partial<
  Record<Field, { before: unknown; after: unknown }>
>;

/** The fields that change, each with the value before and after. */
export function changesBetween<Field extends AuditField>(
  before: Record<Field, unknown>,
  after: Partial<Record<Field, unknown>>,
): Changes<Field> {
  return Object.fromEntries(
    Object.entries(after).flatMap(([field, value]) => {
      const was = before[field as Field];
      return value === undefined || value === was ? [] : [[field, { before: was, after: value }]];
    }),
  ) as Changes<Field>;
}
