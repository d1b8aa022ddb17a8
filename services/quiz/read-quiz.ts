import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { handInIfOverdue, IS_OVERDUE } from './overdue.ts';
import { IS_TRANSLATION } from './read-translation.ts';
import { SHOWN_KEY } from './shown-question.ts';
import { toSession, type QuizQuestionRow, type QuizRow } from './quiz.ts';

/**
 * A quiz of this account, as it stands.
 *
 * @throws AppError `quiz_not_found`, also for the quiz of another account
 */
export async function readQuiz(db: Queryable, accountId: string, quizId: string) {
  return toSession(await readQuizRow(db, accountId, quizId), await readQuestions(db, quizId));
}

/** The quiz's own row; the errors are those of `readQuiz`. */
export async function readQuizRow(
  db: Queryable,
  accountId: string,
  quizId: string,
): Promise<QuizRow> {
  const { rows } = await db.query<QuizRow>({
    name: 'read-quiz',
    text: `select quiz.id, kind, topic, language, instant_feedback, state, started_at, ended_at,
                  deadline_at, score, total, exam, regraded_at,
                  coalesce(quiz.pass_mark, exam_profile.pass_mark) as pass_mark
           from quiz left join exam_profile on exam_profile.name = quiz.exam
           where quiz.id = $1 and account_id = $2`,
    values: [quizId, accountId],
  });
  if (!rows[0]) throw new AppError('quiz_not_found');
  return rows[0];
}

async function readQuestions(db: Queryable, quizId: string): Promise<QuizQuestionRow[]> {
  const { rows } = await db.query<QuizQuestionRow>({
    name: 'read-quiz-questions',
    text: `select question_id as id, uuid, question, shown.answer, incorrect, ${SHOWN_KEY} as key,
                  topic, language, explanation, source_url, shown.counted, asked.marked,
                  quiz_answer.answer as given_answer, quiz_answer.correct as given_correct,
                  exists (
                    select from question original join question other on ${IS_TRANSLATION}
                    where original.id = shown.question_id) as translated
           from shown_question shown
           left join quiz_answer using (quiz_id, question_id)
           where quiz_id = $1 order by position`,
    values: [quizId],
  });
  return rows;
}
