import { withTransaction, type Database } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/emit.ts';

export interface Report {
  accountId: string;
  /** The question's id or uuid. */
  question: number | string;
  type: 'thumbs_down';
  reason: string | undefined;
  comment: string | undefined;
}

// Only a question that the learner has met: the others are none of theirs.
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
    comment = coalesce(excluded.comment, feedback.comment)
  returning id, question_id, xmax = 0 as is_new`;

/**
 * Reports a question. There is one report for each learner and question: reporting it again adds
 * the reason and the comment to the first one.
 *
 * @throws AppError `question_not_found`, also for one that this learner has never met
 */
export async function reportQuestion(db: Database, report: Report): Promise<void> {
  const statement = reportStatement(typeof report.question === 'number' ? 'id' : 'uuid');
  await withTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ id: string; question_id: number; is_new: boolean }>(
      statement,
      [
        report.accountId,
        report.question,
        report.type,
        report.reason ?? null,
        report.comment?.trim() || null,
      ],
    );
    const stored = rows[0];
    if (!stored) throw new AppError('question_not_found');
    if (!stored.is_new) return;
    const { id: feedback_id, question_id } = stored;
    await emit(tx, 'feedback.reported', { feedback_id, question_id });
  });
}
