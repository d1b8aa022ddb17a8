import type { Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { withTransaction, type Database, type Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/emit.ts';

export interface Closing {
  actor: Actor;
  /** The question's id or uuid. */
  question: number | string;
  state: 'fixed' | 'dismissed';
  /** Reports that came later stay open: nobody has read them. Undefined closes all. */
  reportedUntil: Date | undefined;
}

/**
 * Closes the open reports of a question.
 *
 * @returns how many were closed
 * @throws AppError `question_not_found`
 */
export async function closeReports(
  db: Database,
  { actor, question, state, reportedUntil }: Closing,
): Promise<number> {
  const until = reportedUntil?.getTime() ?? Infinity;
  if (Number.isNaN(until)) {
    throw new AppError('validation_failed', {
      message: 'reported_until is no time',
      details: { field: 'reported_until', part: 'body' },
    });
  }
  return withTransaction(db, async (tx) => {
    const questionId = await findQuestion(tx, question);
    // Administrators are shown milliseconds, and PostgreSQL counts in microseconds.
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
 * Opens again what was closed last of a question's reports.
 *
 * @returns how many were opened
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
