import { withTransaction, type Database, type Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/emit.ts';
import { CORRECTED_VERSION, IS_RIGHT_NOW } from './grading.ts';
import { readQuizRow } from './read-quiz.ts';
import { regradeUntold } from './regrade-quizzes.ts';

export interface QuizResult {
  score: number;
  /** Questions that count. */
  total: number;
  /** Null for a drill. */
  passed: boolean | null;
}

/**
 * Ends a quiz and settles its score; unanswered questions count as wrong. Ending it again returns
 * the same result. The answers of a practice test become final here, and are told of now.
 *
 * @throws AppError `quiz_not_found`, or `quiz_closed` when it was cancelled
 */
export async function endQuiz(
  db: Database,
  accountId: string,
  quizId: string,
): Promise<QuizResult> {
  await withTransaction(db, async (tx) => {
    // Waits for answers on their way (they hold a share lock), so that the score has them all.
    const { rows } = await tx.query<{ kind: string }>(
      `update quiz set state = 'ended', ended_at = now(), score = 0
       where id = $1 and account_id = $2 and state = 'open' returning kind`,
      [quizId, accountId],
    );
    if (rows.length === 0) return;
    const isTest = rows[0]!.kind === 'practice_test';
    if (isTest) await regradeUntold(tx, quizId);
    await settleScore(tx, quizId);
    if (isTest) await emitAnswers(tx, quizId);
    await emit(tx, 'quiz.ended', { quiz_id: quizId });
  });
  const quiz = await readQuizRow(db, accountId, quizId);
  if (quiz.score === null) throw new AppError('quiz_closed');
  const passed = quiz.pass_mark === null ? null : quiz.score >= quiz.pass_mark;
  return { score: quiz.score, total: quiz.total, passed };
}

/**
 * Leaves a quiz without a result.
 *
 * @throws AppError `quiz_not_found`, or `quiz_closed` when it has ended
 */
export async function cancelQuiz(db: Database, accountId: string, quizId: string): Promise<void> {
  await db.query(
    `update quiz set state = 'cancelled', ended_at = now()
     where id = $1 and account_id = $2 and state = 'open'`,
    [quizId, accountId],
  );
  const quiz = await readQuizRow(db, accountId, quizId);
  if (quiz.state === 'ended') throw new AppError('quiz_closed');
}

async function settleScore(tx: Transaction, quizId: string): Promise<void> {
  // An answer that was stored while a key was corrected counts here as it will be graded.
  await tx.query(
    `update quiz set score = (
       select count(*) from quiz_question
       join quiz_answer using (quiz_id, question_id)
       left join ${CORRECTED_VERSION}
       where quiz_id = $1 and counted
         and case when old.version is null then correct else ${IS_RIGHT_NOW} end)
     where id = $1`,
    [quizId],
  );
}

async function emitAnswers(tx: Transaction, quizId: string): Promise<void> {
  await tx.query(
    `insert into outbox (name, payload)
     select 'answer.submitted', jsonb_build_object(
       'quiz_id', quiz_id, 'question_id', question_id, 'correct', correct)
     from quiz_answer where quiz_id = $1`,
    [quizId],
  );
}
