import type { FeedbackState } from '@proveklar/contract/feedback.ts';
import { requireActiveAccount } from '#accounts/access.ts';
import type { Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';

interface Report {
  accountId: string;
  /** The question's id or uuid. */
  question: number | string;
  type: 'thumbs_down';
  reason: string | undefined;
  comment: string | undefined;
}

interface StoredReport {
  id: string;
  question_id: number;
  is_new: boolean;
  was_closed: boolean;
}

/**
 * Reports a question. There is one report for each learner and question: reporting it again updates reason
 * and comment, and reopens a closed report.
 *
 * @throws AppError `question_not_found`, also for a question that was in no quiz of this learner;
 *   `account_disabled`
 */
export async function reportQuestion(db: Database, report: Report): Promise<void> {
  const statement = reportStatement(typeof report.question === 'number' ? 'id' : 'uuid');
  await withTransaction(db, async (tx) => {
    await requireActiveAccount(tx, report.accountId);
    const { rows } = await tx.query<StoredReport>(statement, [
      report.accountId,
      report.question,
      report.type,
      report.reason ?? null,
      report.comment?.trim() || null,
    ]);
    const stored = rows[0];
    if (!stored) throw new AppError('question_not_found');
    const { id: feedback_id, question_id, is_new, was_closed } = stored;
    if (is_new) await emit(tx, 'feedback.reported', { feedback_id, question_id });
    if (was_closed) await emit(tx, 'feedback.reopened', { question_id });
  });
}

// Only questions that were in a quiz of the learner can be reported.
const reportStatement = (column: 'id' | 'uuid') => `
  insert into feedback (account_id, question_id, quiz_id, type, reason, comment)
  select quiz.account_id, question.id, quiz.id, $3, $4, $5
  from question
  join quiz_question on quiz_question.question_id = question.id
  join quiz on quiz.id = quiz_question.quiz_id and quiz.account_id = $1
  where question.${column} = $2
  order by quiz.started_at desc limit 1
  on conflict (account_id, question_id) do update set
    reason = coalesce(excluded.reason, feedback.reason),
    comment = coalesce(excluded.comment, feedback.comment),
    state = 'open', closed_at = null
  returning id, question_id, old.id is null as is_new,
    coalesce(old.state <> 'open', false) as was_closed`;

interface Closing {
  actor: Actor;
  /** The question's id or uuid. */
  question: number | string;
  state: Exclude<FeedbackState, 'open'>;
  /** Later reports stay open, because the administrator has not seen them. Undefined closes all. */
  reportedUntil: Date | undefined;
}

/**
 * Closes the open reports of a question.
 *
 * @returns how many reports were closed
 * @throws AppError `question_not_found`
 */
export async function closeReports(
  db: Database,
  { actor, question, state, reportedUntil }: Closing,
): Promise<number> {
  const until = reportedUntil?.getTime() ?? Infinity;
  if (Number.isNaN(until)) {
    throw new AppError('validation_failed', {
      message: 'reported_until is not a valid time',
      details: { field: 'reported_until', part: 'body' },
    });
  }
  return withTransaction(db, async (tx) => {
    const questionId = await findQuestion(tx, question);
    // Administrators see milliseconds; PostgreSQL stores microseconds.
    const { rowCount } = await tx.query(
      `update feedback set state = $2, closed_at = now()
       where question_id = $1 and state = 'open'
         and floor(extract(epoch from created_at) * 1000) <= $3::float8`,
      [questionId, state, until],
    );
    const reports = rowCount ?? 0;
    if (reports === 0) return 0;
    await recordAction(tx, {
      actor,
      action: 'feedback.closed',
      subject: String(questionId),
      details: { state, reports },
    });
    await emit(tx, 'feedback.closed', { question_id: questionId });
    return reports;
  });
}

/**
 * Reopens the reports of a question that were closed last.
 *
 * @returns how many reports were reopened
 * @throws AppError `question_not_found`
 */
export async function reopenReports(
  db: Database,
  { actor, question }: Pick<Closing, 'actor' | 'question'>,
): Promise<number> {
  return withTransaction(db, async (tx) => {
    const questionId = await findQuestion(tx, question);
    const { rowCount } = await tx.query(
      `update feedback set state = 'open', closed_at = null
       where question_id = $1
         and closed_at = (select max(closed_at) from feedback where question_id = $1)`,
      [questionId],
    );
    const reports = rowCount ?? 0;
    if (reports === 0) return 0;
    await recordAction(tx, {
      actor,
      action: 'feedback.reopened',
      subject: String(questionId),
      details: { reports },
    });
    await emit(tx, 'feedback.reopened', { question_id: questionId });
    return reports;
  });
}

async function findQuestion(tx: Transaction, question: number | string): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `select id from question where ${typeof question === 'number' ? 'id' : 'uuid'} = $1`,
    [question],
  );
  if (!rows[0]) throw new AppError('question_not_found');
  return rows[0].id;
}
