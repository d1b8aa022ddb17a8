import { requireActiveAccount } from '#accounts/access.ts';
import { withTransaction, type Database } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { readQuizRow } from './read-quiz.ts';

export interface Mark {
  quizId: string;
  questionUuid: string;
  marked: boolean;
}

/**
 * Marks a question of a practice test to come back to it, or takes the mark back. Doing it again
 * changes nothing.
 *
 * @throws AppError `quiz_not_found`, `quiz_closed`, `question_not_in_quiz`, `account_disabled`, or
 *   `validation_failed` for a quiz that is no practice test
 */
export async function markQuestion(
  db: Database,
  accountId: string,
  { quizId, questionUuid, marked }: Mark,
): Promise<void> {
  const { rowCount } = await withTransaction(db, async (tx) => {
    await requireActiveAccount(tx, accountId);
    return tx.query({
      name: 'mark-question',
      text: `update quiz_question set marked = $4
             from quiz, question
             where quiz.id = $2 and quiz.account_id = $1
               and quiz.kind = 'practice_test' and quiz.state = 'open'
               and (quiz.deadline_at is null or quiz.deadline_at > now())
               and question.uuid = $3
               and quiz_question.quiz_id = quiz.id and quiz_question.question_id = question.id`,
      values: [accountId, quizId, questionUuid, marked],
    });
  });
  if (rowCount === 0) throw await whyRefused(db, accountId, quizId);
}

async function whyRefused(db: Database, accountId: string, quizId: string): Promise<AppError> {
  const quiz = await readQuizRow(db, accountId, quizId);
  if (quiz.kind !== 'practice_test') {
    return new AppError('validation_failed', {
      message: 'only the questions of a practice test are marked',
      details: { field: 'id', part: 'params' },
    });
  }
  if (quiz.state !== 'open' || quiz.seconds_left === 0) return new AppError('quiz_closed');
  return new AppError('question_not_in_quiz', { details: { field: 'uuid' } });
}
