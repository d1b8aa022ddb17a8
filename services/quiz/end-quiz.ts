import { requireActiveAccount } from '#accounts/access.ts';
import { type Database, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { handIn } from './hand-in.ts';
import { readQuizRow } from './read-quiz.ts';

export interface QuizResult {
  score: number;
  /** Questions that count. */
  total: number;
  /** Null for a drill. */
  passed: boolean | null;
}

/**
 * Ends a quiz and computes its score; unanswered questions count as wrong. Ending it again returns the
 * same result. The answers of a practice test become final here, see `handIn`.
 *
 * @throws AppError `quiz_not_found`, `quiz_closed` when the quiz was cancelled, `account_disabled`
 */
export async function endQuiz(
  db: Database,
  accountId: string,
  quizId: string,
): Promise<QuizResult> {
  await withTransaction(db, async (tx) => {
    await requireActiveAccount(tx, accountId);
    const { rows } = await tx.query<{ id: string }>(
      `select id from quiz where id = $1 and account_id = $2 and state = 'open'`,
      [quizId, accountId],
    );
    await handIn(
      tx,
      rows.map(({ id }) => id),
    );
  });
  const quiz = await readQuizRow(db, accountId, quizId);
  if (quiz.score === null) throw new AppError('quiz_closed');
  const passed = quiz.pass_mark === null ? null : quiz.score >= quiz.pass_mark;
  return { score: quiz.score, total: quiz.total, passed };
}

/**
 * Cancels a quiz, which then has no result. Cancelling it again does nothing.
 *
 * @throws AppError `quiz_not_found`, `quiz_closed` when the quiz has ended or its time is up,
 *   `account_disabled`
 */
export async function cancelQuiz(db: Database, accountId: string, quizId: string): Promise<void> {
  await withTransaction(db, async (tx) => {
    await requireActiveAccount(tx, accountId);
    await tx.query(
      `update quiz set state = 'cancelled', ended_at = now()
       where id = $1 and account_id = $2 and state = 'open'
         and (deadline_at is null or deadline_at > now())`,
      [quizId, accountId],
    );
  });
  const quiz = await readQuizRow(db, accountId, quizId);
  if (quiz.state !== 'cancelled') throw new AppError('quiz_closed');
}
