import type { Database, Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { handInIfOverdue, IS_OVERDUE } from './overdue.ts';
import { IS_TRANSLATION } from './read-translation.ts';
import { SHOWN_KEY } from './shown-question.ts';
import { toSession, type QuizQuestionRow, type QuizRow } from './quiz.ts';

/**
 * A quiz of this account, as it stands. A test whose time is up is handed in first.
 *
 * @throws AppError `quiz_not_found`, also for the quiz of another account
 */
export async function readQuiz(db: Database, accountId: string, quizId: string) {
  return toSession(await readQuizRow(db, accountId, quizId), await readQuestions(db, quizId));
}

/** The quiz's own row; otherwise like `readQuiz`. */
export async function readQuizRow(
  db: Database,
  accountId: string,
  quizId: string,
): Promise<QuizRow> {
  const quiz = await readAsItIs(db, accountId, quizId);
  if (!quiz.overdue) return quiz;
  await handInIfOverdue(db, quizId);
  return readAsItIs(db, accountId, quizId);
}

async function readAsItIs(db: Queryable, accountId: string, quizId: string) {
  const { rows } = await db.query<QuizRow & { overdue: boolean }>({
    name: 'read-quiz',
    text: `select quiz.id, kind, topic, language, instant_feedback, state, started_at, ended_at,
                  deadline_at, score, total, exam, regraded_at, ${IS_OVERDUE} as overdue,
                  case when state = 'open' and deadline_at is not null
                    then greatest(0, ceil(extract(epoch from deadline_at - now())))::int
                  end as seconds_left,
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
                  array(
                    select distinct other.language
                    from question original join question other on ${IS_TRANSLATION}
                    where original.id = shown.question_id order by 1) as translations
           from shown_question shown
           join quiz_question asked using (quiz_id, question_id)
           left join quiz_answer using (quiz_id, question_id)
           where quiz_id = $1 order by shown.position`,
    values: [quizId],
  });
  return rows;
}
