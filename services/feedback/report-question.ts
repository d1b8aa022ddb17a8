import { requireActiveAccount } from '#accounts/access.ts';
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

interface StoredReport {
  id: string;
  question_id: number;
  is_new: boolean;
  was_closed: boolean;
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
    comment = coalesce(excluded.comment, feedback.comment),
    state = 'open', closed_at = null
  returning id, question_id, old.id is null as is_new,
    coalesce(old.state <> 'open', false) as was_closed`;

/**
 * Reports a question. There is one report for each learner and question: reporting it again adds
 * the reason and the comment to the first one, and opens that one again if it was closed.
 *
 * @throws AppError `question_not_found`, also for one that this learner has never met,
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
