import type {
  ChangeValues,
  QuestionChangeAction,
  QuestionChangeState,
} from '@proveklar/contract/question-changes.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { notifyLive } from '#live/live.ts';
import { ARCHIVE_COLUMNS } from './bank-question.ts';
import { changeFields, isFieldAction } from './bulk-fields.ts';
import { mergeRetired, unmerge } from './merge-duplicates.ts';
import { conditionsOf, hiddenImports, type QuestionFilter } from './question-filter.ts';

export type Selection = { ids: number[] } | { import_id: string } | { filter: QuestionFilter };

/** A bulk change of questions. */
interface ChangeRow {
  id: string;
  action: QuestionChangeAction;
  topic: string | null;
  /** Of an action that sets a field. */
  values: ChangeValues;
  selection: Selection;
  actor: string;
  state: QuestionChangeState;
  last_id: number;
  done_id: number;
  total: number;
  done: number;
  changed: number;
  created_at: Date;
  ended_at: Date | null;
  undone_by: string | null;
}

/** The change as the API returns it. */
export function toChange({
  last_id: _last,
  done_id: _done,
  created_at,
  ended_at,
  ...row
}: ChangeRow) {
  return {
    ...row,
    created_at: created_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  };
}

export type Change = ReturnType<typeof toChange>;

/** Ids in a batch, which takes a fraction of a second. */
const BATCH_IDS = 4_000;

/**
 * Applies or undoes one batch of a change, in a transaction. After a kill, the next call continues after
 * the last committed batch.
 *
 * @returns whether there are more batches
 */
export async function runChange(db: Database, id: string): Promise<boolean> {
  return withTransaction(db, async (tx) => {
    const more = await runBatch(tx, await lockChange(tx, id), BATCH_IDS);
    await notifyLive(tx, [{ topic: 'questions' }]);
    return more;
  });
}

/** Like `runChange`, in the caller's transaction and over this many ids; for small changes. */
export async function runBatch(
  tx: Transaction,
  change: ChangeRow,
  batchIds: number,
): Promise<boolean> {
  if (change.state === 'running') return applyBatch(tx, change, batchIds);
  if (change.state === 'undoing') return undoBatch(tx, change);
  return false;
}

async function applyBatch(tx: Transaction, change: ChangeRow, batchIds: number): Promise<boolean> {
  const upTo = Math.min(change.done_id + batchIds, change.last_id);
  const ids = await selectIds(tx, change, upTo);
  const { ids: changed, topics, before } = await apply(tx, change, ids);
  if (changed.length > 0) {
    await tx.query(
      `insert into question_change_batch (change_id, number, ids, topics, before)
       select $1, coalesce(max(number), 0) + 1, $2, $3, $4
       from question_change_batch where change_id = $1`,
      [change.id, changed, topics, before && JSON.stringify(before)],
    );
  }
  const isLast = upTo === change.last_id;
  await tx.query(
    `update question_change
     set done_id = $2, done = done + $3, changed = changed + $4,
         state = case when $5 then 'completed' else state end,
         ended_at = case when $5 then now() end
     where id = $1`,
    [change.id, upTo, ids.length, changed.length, isLast],
  );
  return !isLast;
}

async function selectIds(
  tx: Transaction,
  { selection, done_id }: ChangeRow,
  upTo: number,
): Promise<number[]> {
  const range = `question.id > ${done_id} and question.id <= ${upTo}`;
  const { where, values } = await selectionConditions(tx, selection);
  const { rows } = await tx.query<{ id: number }>(
    `select id from question where ${where} and ${range} order by id`,
    values,
  );
  return rows.map((row) => row.id);
}

/** The questions that were changed. */
interface Changed {
  ids: number[];
  /** The previous topic of each; null when the change is not a retopic. */
  topics: string[] | null;
  /** The previous values of each; null when the change sets no field. */
  before: unknown[] | null;
}

/** Applies the change to these questions; those that are in the target state already are skipped. */
async function apply(tx: Transaction, change: ChangeRow, ids: number[]): Promise<Changed> {
  const { action, values, actor } = change;
  if (isFieldAction(action)) {
    return { ...(await changeFields(tx, { action, values, actor, ids })), topics: null };
  }
  if (action !== 'retopic') return setState(tx, action, ids);
  const topics = ids.map(() => change.topic!);
  return retopic(tx, { ids, topics }, actor, null);
}

async function undoBatch(tx: Transaction, change: ChangeRow): Promise<boolean> {
  const { rows } = await tx.query<Batch & { number: number }>(
    `delete from question_change_batch where change_id = $1 and number = (
       select max(number) from question_change_batch where change_id = $1)
     returning number, ids, topics, before`,
    [change.id],
  );
  const [batch] = rows;
  if (batch) await undo(tx, change, batch);
  const isLast = !batch || batch.number === 1;
  await tx.query(
    `update question_change
     set changed = changed - $2, state = case when $3 then 'undone' else state end,
         ended_at = case when $3 then now() end
     where id = $1`,
    [change.id, batch?.ids.length ?? 0, isLast],
  );
  return !isLast;
}

interface Batch {
  ids: number[];
  /** The previous topic of each, when a retopic is undone. */
  topics: string[] | null;
  before: unknown[] | null;
}

const OPPOSITES = {
  validate: 'unvalidate',
  unvalidate: 'validate',
  retire: 'restore',
  restore: 'retire',
} as const satisfies Partial<Record<QuestionChangeAction, QuestionChangeAction>>;

/** Undoes the change of these questions, except those that were changed again since. */
async function undo(
  tx: Transaction,
  change: ChangeRow,
  { ids, topics, before }: Batch,
): Promise<void> {
  const { action, values } = change;
  const actor = change.undone_by ?? change.actor;
  if (isFieldAction(action)) {
    await changeFields(tx, { action, values, actor, ids, before: before ?? [] });
  } else if (action === 'retopic') {
    await retopic(tx, { ids, topics: topics ?? [] }, actor, change.topic);
  } else await setState(tx, OPPOSITES[action], ids);
}

const updateSql = (assignment: string, where: string) => `
  update question set ${assignment}
  where id in (select id from question where id = any ($1) and ${where} order by id
               for no key update)
  returning id`;

// The previous version of each question is archived: quizzes that showed it keep showing it.
const RETOPIC = `
  with wanted as (select * from unnest($1::bigint[], $2::text[]) as wanted (id, topic)),
  present as (
    select question.*, wanted.topic as new_topic
    from question join wanted on wanted.id = question.id
    where question.topic <> wanted.topic and ($4::text is null or question.topic = $4)
    order by question.id for no key update of question
  ), archived as (
    insert into question_version (question_id, ${ARCHIVE_COLUMNS}, replaced_by)
    select id, ${ARCHIVE_COLUMNS}, $3 from present
  )
  update question set topic = present.new_topic, version = question.version + 1
  from present where question.id = present.id
  returning question.id, present.topic`;

/** @param only changes only questions that have this topic now; null for any topic */
async function retopic(
  tx: Transaction,
  { ids, topics }: { ids: number[]; topics: string[] },
  actor: string,
  only: string | null,
): Promise<Changed> {
  const { rows } = await tx.query<{ id: number; topic: string }>(RETOPIC, [
    ids,
    topics,
    actor,
    only,
  ]);
  return { ids: rows.map((row) => row.id), topics: rows.map((row) => row.topic), before: null };
}

// Of two retired questions with the same text, the newer is restored.
const RESTORE = updateSql(
  'retired_at = null',
  `retired_at is not null
   and not exists (
     select from question other
     where other.language = question.language and other.text_key = question.text_key
       and (other.retired_at is null or (other.id > question.id and other.id = any ($1))))`,
);

const RETIRE = updateSql('retired_at = now()', 'retired_at is null');
const VALIDATE = updateSql('validated = true', 'not validated');
const UNVALIDATE = updateSql('validated = false', 'validated');
const ACTIONS = { validate: VALIDATE, unvalidate: UNVALIDATE, retire: RETIRE, restore: RESTORE };

async function setState(
  tx: Transaction,
  action: keyof typeof ACTIONS,
  ids: number[],
): Promise<Changed> {
  const { rows } = await tx.query<{ id: number }>(ACTIONS[action], [ids]);
  const changed = rows.map((row) => row.id);
  if (action === 'retire') await mergeRetired(tx, changed);
  if (action === 'restore') await unmerge(tx, changed);
  return { ids: changed, topics: null, before: null };
}

/** The conditions of a selection, over `question`. See `Conditions`. */
export async function selectionConditions(
  tx: Transaction,
  selection: ChangeRow['selection'],
): Promise<{ where: string; values: unknown[] }> {
  if (!('ids' in selection)) return conditionsOf(tx, filterOf(selection));
  return {
    where: `question.id = any ($1)
      and (question.import_id is null or question.import_id <> all ($2::uuid[]))`,
    values: [selection.ids, await hiddenImports(tx)],
  };
}

/** The filter of a selection by import or filter. */
function filterOf(selection: Exclude<Selection, { ids: number[] }>): QuestionFilter {
  return 'filter' in selection
    ? selection.filter
    : { import_id: selection.import_id, state: 'all' };
}

const MAX_LISTED = 20;

/** The latest changes, newest first. */
export async function listChanges(db: Queryable): Promise<Change[]> {
  const { rows } = await db.query<ChangeRow>(
    `select * from question_change order by created_at desc limit ${MAX_LISTED}`,
  );
  return rows.map(toChange);
}

/** @throws AppError `change_not_found` */
export async function readChange(db: Queryable, id: string): Promise<Change> {
  const { rows } = await db.query<ChangeRow>('select * from question_change where id = $1', [id]);
  if (!rows[0]) throw new AppError('change_not_found');
  return toChange(rows[0]);
}

/**
 * Locks a change until the transaction ends, so that no other process runs it meanwhile.
 *
 * @throws AppError `change_not_found`
 */
export async function lockChange(tx: Transaction, id: string): Promise<ChangeRow> {
  const { rows } = await tx.query<ChangeRow>(
    'select * from question_change where id = $1 for update',
    [id],
  );
  if (!rows[0]) throw new AppError('change_not_found');
  return rows[0];
}
