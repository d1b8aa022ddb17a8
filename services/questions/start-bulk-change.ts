import type { ChangeValues, QuestionChangeAction } from '@proveklar/contract/question-changes.ts';
import { RESERVED_TOPICS } from '@proveklar/contract/quiz-topics.ts';
import { type Actor, nameOf } from '#audit/actor.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { isDuplicateText } from './question-content.ts';
import { normalizeTopic } from './question-row.ts';
import { recordQuestionAction } from './record-question-action.ts';
import {
  type Change,
  lockChange,
  runBatch,
  type Selection,
  selectionConditions,
  toChange,
} from './run-bulk-change.ts';
import { isTopicTooLong } from './topics.ts';

interface ChangeRequest {
  action: QuestionChangeAction;
  topic: string | undefined;
  /** Of an action that sets a field. */
  values?: ChangeValues | undefined;
  selection: Selection;
  actor: Actor;
}

/** A change of more questions than these runs in the background. */
const MAX_IN_REQUEST = 1_000;

/**
 * Starts a change of the questions that are selected now; questions that are added later are not changed.
 * A small change has completed when this returns.
 *
 * @throws AppError `validation_failed` when the topic is missing, superfluous, too long or reserved
 */
export async function startChange(db: Database, request: ChangeRequest): Promise<Change> {
  const topic = topicOf(request);
  const values = valuesOf(request);
  const { actor } = request;
  return withRetry(db, async (tx) => {
    const { total, first, last } = await countSelection(tx, request.selection);
    const { rows } = await tx.query<{ id: string }>(
      `insert into question_change
         (action, topic, "values", selection, actor, total, done_id, last_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [request.action, topic, values, request.selection, nameOf(actor), total, first - 1, last],
    );
    const { id } = rows[0]!;
    const details = { action: request.action, ...(topic !== null && { topic }), ...values, total };
    await recordQuestionAction(tx, { actor, action: 'questions.changed', subject: id, details });
    if (total > MAX_IN_REQUEST) await emit(tx, 'questions.change_requested', { change_id: id });
    else await runBatch(tx, await lockChange(tx, id), Infinity);
    return toChange(await lockChange(tx, id));
  });
}

function topicOf({ action, topic }: ChangeRequest): string | null {
  const name = topic === undefined ? '' : normalizeTopic(topic);
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

/** The values that each action takes, of which the first must be given. */
const VALUES: Partial<Record<QuestionChangeAction, (keyof ChangeValues)[]>> = {
  add_tags: ['tags'],
  remove_tags: ['tags'],
  set_language: ['language'],
  set_source: ['source_url', 'source_title'],
  set_checked: ['checked_at'],
};

function valuesOf({ action, values = {} }: ChangeRequest): ChangeValues {
  const names = VALUES[action] ?? [];
  const refused = (field: string, reason: string) =>
    new AppError('validation_failed', { message: `${field} ${reason}`, details: { field } });
  const [needed] = names;
  if (needed && values[needed] === undefined) throw refused(needed, `is missing for ${action}`);
  const superfluous = Object.keys(values).find((name) => !names.some((known) => known === name));
  if (superfluous) throw refused(superfluous, `is not for ${action}`);
  const blank = values.tags?.find((tag) => tag.trim() === '' || tag !== tag.trim());
  if (blank !== undefined) throw refused('tags', 'has a blank tag, or one with spaces around it');
  return values;
}

async function countSelection(tx: Transaction, selection: Selection) {
  const { where, values } = await selectionConditions(tx, selection);
  const { rows } = await tx.query<{ total: number; first: number; last: number }>(
    `select count(*)::int as total, coalesce(min(id), 1) as first, coalesce(max(id), 0) as last
     from question where ${where}`,
    values,
  );
  return rows[0]!;
}

/**
 * Undoes a change, except for questions that were changed again since.
 *
 * @throws AppError `change_not_found`; `change_not_ended` while it is running;
 *   `change_ended` when it is undone already
 */
export async function undoChange(db: Database, id: string, actor: Actor): Promise<Change> {
  return withRetry(db, async (tx) => {
    const change = await lockChange(tx, id);
    if (change.state === 'running') throw new AppError('change_not_ended');
    if (change.state === 'undone' || change.state === 'undoing') throw new AppError('change_ended');
    await tx.query(
      `update question_change set state = 'undoing', ended_at = null, undone_by = $2 where id = $1`,
      [id, nameOf(actor)],
    );
    const details = { undone: true, action: change.action, changed: change.changed };
    await recordQuestionAction(tx, { actor, action: 'questions.changed', subject: id, details });
    if (change.changed > MAX_IN_REQUEST)
      await emit(tx, 'questions.change_requested', { change_id: id });
    else while (await runBatch(tx, await lockChange(tx, id), Infinity));
    return toChange(await lockChange(tx, id));
  });
}

/** Retries once when a concurrent transaction restored the same text: the second attempt sees it. */
async function withRetry(
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
 * Stops a running change. What it has changed stays, and can be undone.
 *
 * @throws AppError `change_not_found`; `change_ended` when it is not running any more
 */
export async function cancelChange(db: Database, id: string, actor: Actor): Promise<Change> {
  return withTransaction(db, async (tx) => {
    const change = await lockChange(tx, id);
    if (change.state !== 'running') throw new AppError('change_ended');
    await tx.query(
      `update question_change set state = 'cancelled', ended_at = now() where id = $1`,
      [id],
    );
    const details = { cancelled: true, action: change.action };
    await recordQuestionAction(tx, { actor, action: 'questions.changed', subject: id, details });
    return toChange(await lockChange(tx, id));
  });
}
