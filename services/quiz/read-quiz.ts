import { requireActiveAccount } from '#accounts/access.ts';
import { type Database, type Queryable, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { pictureColumns, type StoredPicture, toPicture } from '#questions/picture.ts';
import { type Reason, type StoredWhy, toWhy, whyColumns } from '#questions/why.ts';
import { handInIfOverdue, IS_OVERDUE } from './hand-in.ts';
import { type QuizQuestionRow, type QuizRow, toSession } from './quiz.ts';
import { IS_TRANSLATION } from './read-translation.ts';
import { SHOWN_DISTRACTORS, SHOWN_KEY } from './shown-question.ts';

/**
 * The current state of a quiz of this account. A practice test whose time is up is handed in first.
 *
 * @throws AppError `quiz_not_found`, also for the quiz of another account
 */
export async function readQuiz(db: Database, accountId: string, quizId: string) {
  return toSession(await readQuizRow(db, accountId, quizId), await readQuestions(db, quizId));
}

async function readQuestions(db: Queryable, quizId: string): Promise<QuizQuestionRow[]> {
  const { rows } = await db.query<QuizQuestionRow>({
    name: 'read-quiz-questions',
    text: `select question_id as id, uuid, question, shown.answer, incorrect, ${SHOWN_KEY} as key,
                  topic, language, ${whyColumns('shown')}, ${pictureColumns('shown')},
                  shown.counted, quiz_question.marked,
                  quiz_question.times_shown,
                  quiz_answer.answer as given_answer, quiz_answer.correct as given_correct,
                  array(
                    select distinct other.language
                    from question original join question other on ${IS_TRANSLATION}
                    where original.id = shown.question_id order by 1) as translations
           from shown_question shown
           join quiz_question using (quiz_id, question_id)
           left join quiz_answer using (quiz_id, question_id)
           where quiz_id = $1 order by shown.position`,
    values: [quizId],
  });
  return rows;
}

/** Only the row of the quiz, without its questions; otherwise like `readQuiz`. */
export async function readQuizRow(
  db: Database,
  accountId: string,
  quizId: string,
): Promise<QuizRow> {
  const quiz = await readRow(db, accountId, quizId);
  if (!quiz.overdue) return quiz;
  await handInIfOverdue(db, quizId);
  return readRow(db, accountId, quizId);
}

async function readRow(db: Queryable, accountId: string, quizId: string) {
  const { rows } = await db.query<QuizRow & { overdue: boolean }>({
    name: 'read-quiz',
    text: `select quiz.id, kind, topic, language, instant_feedback, state, started_at, ended_at,
                  deadline_at, score, total, exam, regraded_at, ${IS_OVERDUE} as overdue,
                  case when state = 'open' and deadline_at is not null
                    then greatest(0, ceil(extract(epoch from deadline_at - now())))::int
                  end as seconds_left,
                  coalesce(quiz.pass_mark, exam_profile.pass_mark) as pass_mark,
                  (select auto_advance from learner_plan
                   where learner_plan.account_id = quiz.account_id) as auto_advance
           from quiz left join exam_profile on exam_profile.name = quiz.exam
           where quiz.id = $1 and account_id = $2`,
    values: [quizId, accountId],
  });
  if (!rows[0]) throw new AppError('quiz_not_found');
  return rows[0];
}

interface Mark {
  quizId: string;
  questionUuid: string;
  marked: boolean;
}

/**
 * Flags a question of a practice test, to come back to it, or removes the flag. Idempotent.
 *
 * @throws AppError `quiz_not_found`, `quiz_closed`, `question_not_in_quiz`, `account_disabled`, or
 *   `validation_failed` when the quiz is a drill
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
  if (rowCount === 0) throw await explainRefusal(db, accountId, quizId);
}

async function explainRefusal(db: Database, accountId: string, quizId: string): Promise<AppError> {
  const quiz = await readQuizRow(db, accountId, quizId);
  if (quiz.kind !== 'practice_test') {
    return new AppError('validation_failed', {
      message: 'only questions of a practice test can be marked',
      details: { field: 'id', part: 'params' },
    });
  }
  if (quiz.state !== 'open' || quiz.seconds_left === 0) return new AppError('quiz_closed');
  return new AppError('question_not_in_quiz', { details: { field: 'uuid' } });
}

interface EndedQuestion extends StoredPicture {
  id: number;
  uuid: string;
  question: string;
  answer: string;
  /** The wrong answers that the quiz showed. */
  incorrect: string[];
  topic: string;
  language: string;
  explanation: string | null;
  reasons: Reason[];
  source_url: string | null;
  source_title: string | null;
  checked_at: string | null;
}

/**
 * The questions of an ended quiz of this account, with keys and explanations. Without `quizId`, of the
 * quiz that ended last.
 *
 * @throws AppError `quiz_not_found` when the account has no such ended quiz
 */
export async function listEndedQuestions(
  db: Queryable,
  accountId: string,
  quizId: string | undefined,
): Promise<EndedQuestion[]> {
  const { rows } = await db.query<
    Omit<EndedQuestion, 'reasons'> & StoredWhy & { stored: string[]; incorrect: string[] }
  >(
    `with quiz as (
       select id, kind from quiz
       where account_id = $1 and state = 'ended' and ($2::uuid is null or id = $2)
       order by ended_at desc limit 1)
     select question_id as id, uuid, question, ${SHOWN_KEY} as answer, topic, language,
            ${whyColumns('shown')}, ${pictureColumns('shown')}, shown.incorrect as stored,
            array_remove(shown.answer || ${SHOWN_DISTRACTORS}, ${SHOWN_KEY}) as incorrect
     from quiz join shown_question shown on shown.quiz_id = quiz.id
     order by position`,
    [accountId, quizId ?? null],
  );
  if (rows.length === 0) throw new AppError('quiz_not_found');
  return rows.map(({ stored, incorrect_reasons, ...row }) => ({
    ...row,
    ...toPicture(row, [row.answer, ...row.incorrect]),
    ...toWhy({ ...row, incorrect: stored, incorrect_reasons }, row.incorrect),
  }));
}
