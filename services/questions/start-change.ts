import type { QuestionChangeAction } from '@proveklar/contract/questions.ts';
import { type Actor, nameOf } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { isDuplicateText } from './edit-question.ts';
import { tidyTopic } from './question-row.ts';
import {
  type Change,
  lockChange,
  moveOn,
  type Selection,
  selectionConditions,
  toChange,
} from './run-change.ts';
import { isTopicTooLong, RESERVED_TOPICS } from './topics.ts';

interface ChangeWish {
  action: QuestionChangeAction;
  topic: string | undefined;
  selection: Selection;
  actor: Actor;
}

/** So many are changed at once; more than these in the background. */
const AT_ONCE = 1_000;

/**
 * Begins to change what is selected now: questions that come later are none of it. It is over already
 * when these are few.
 *
 * @throws AppError `validation_failed` when there is a topic too much, too little, or a reserved one
 */
export async function startChange(db: Database, wish: ChangeWish): Promise<Change> {
  const topic = topicOf(wish);
  const { actor } = wish;
  return inTransaction(db, async (tx) => {
    const { total, first, last } = await measure(tx, wish.selection);
    const { rows } = await tx.query<{ id: string }>(
      `insert into question_change (action, topic, selection, actor, total, done_id, last_id)
       values ($1, $2, $3, $4, $5, $6, $7) returning id`,
      [wish.action, topic, wish.selection, nameOf(actor), total, first - 1, last],
    );
    const { id } = rows[0]!;
    const details = { action: wish.action, ...(topic !== null && { topic }), total };
    await recordAction(tx, { actor, action: 'questions.changed', subject: id, details });
    if (total > AT_ONCE) await emit(tx, 'questions.change_requested', { change_id: id });
    else await moveOn(tx, await lockChange(tx, id), Infinity);
    return toChange(await lockChange(tx, id));
  });
}

function topicOf({ action, topic }: ChangeWish): string | null {
  const name = topic === undefined ? '' : tidyTopic(topic);
  const refused = (reason: string) =>
    new AppError('validation_failed', {
      message: `topic ${reason}`,
      details: { field: 'topic' },
    });
  if (action !== 'retopic') {
    if (topic === undefined) return null;
    throw refused('is for retopic only');
  }
  if (name === '') throw refused('is missing');
  if (isTopicTooLong(name)) throw refused('is too long');
  if (RESERVED_TOPICS.includes(name)) throw refused('is a reserved name');
  return name;
}

async function measure(tx: Transaction, selection: Selection) {
  const { where, values } = await selectionConditions(tx, selection);
  const { rows } = await tx.query<{ total: number; first: number; last: number }>(
    `select count(*)::int as total, coalesce(min(id), 1) as first, coalesce(max(id), 0) as last
     from question where ${where}`,
    values,
  );
  return rows[0]!;
}

/**
 * Takes back what a change did, except where a question was changed again since.
 *
 * @throws AppError `change_not_found`; `change_not_ended` while it is under way;
 *   `change_ended` when it is taken back already
 */
export async function undoChange(db: Database, id: string, actor: Actor): Promise<Change> {
  return inTransaction(db, async (tx) => {
    const change = await lockChange(tx, id);
    if (change.state === 'running') throw new AppError('change_not_ended');
    if (change.state === 'undone' || change.state === 'undoing') throw new AppError('change_ended');
    await tx.query(
      `update question_change set state = 'undoing', ended_at = null, undone_by = $2 where id = $1`,
      [id, nameOf(actor)],
    );
    await record(tx, id, actor, { undone: true, action: change.action, changed: change.changed });
    if (change.changed > AT_ONCE) await emit(tx, 'questions.change_requested', { change_id: id });
    else while (await moveOn(tx, await lockChange(tx, id), Infinity));
    return toChange(await lockChange(tx, id));
  });
}

/** Somebody may bring back the same text at the same moment: the second look finds it there. */
async function inTransaction(
  db: Database,
  work: (tx: Transaction) => Promise<Change>,
): Promise<Change> {
  try {
    return await withTransaction(db, work);
  } catch (error) {
    if (!isDuplicateText(error)) throw error;
    return withTransaction(db, work);
  }
}

/**
 * Stops a change half way. What it did stays so, and can be undone.
 *
 * @throws AppError `change_not_found`; `change_ended` when it is not under way any more
 */
export async function cancelChange(db: Database, id: string, actor: Actor): Promise<Change> {
  return withTransaction(db, async (tx) => {
    const change = await lockChange(tx, id);
    if (change.state !== 'running') throw new AppError('change_ended');
    await tx.query(
      `update question_change set state = 'cancelled', ended_at = now() where id = $1`,
      [id],
    );
    await record(tx, id, actor, { cancelled: true, action: change.action });
    return toChange(await lockChange(tx, id));
  });
}

async function record(tx: Transaction, id: string, actor: Actor, details: object): Promise<void> {
  await recordAction(tx, {
    actor,
    action: 'questions.changed',
    subject: id,
    details: { ...details },
  });
}
