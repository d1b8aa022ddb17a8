import type { QuizState } from '@proveklar/contract/quiz.ts';
import type { Database, Queryable, Transaction } from '#database/pool.ts';
import type { StoredPicture } from '#questions/picture.ts';
import { whyColumns } from '#questions/why.ts';
import { optionsShown, type QuizKind, type QuizQuestionRow, toAnswer } from './quiz.ts';
import { SHOWN_KEY } from './shown-question.ts';

interface Row {
  id: string;
  kind: QuizKind;
  topic: string;
  exam: string | null;
  language: string;
  instant_feedback: boolean;
  state: QuizState;
  started_at: Date;
  deadline_at: Date | null;
  ended_at: Date | null;
  score: number | null;
  total: number;
  pass_mark: number | null;
  regraded_at: Date | null;
}

interface QuestionRow extends Omit<QuizQuestionRow, 'id' | 'translations' | keyof StoredPicture> {
  quiz_id: string;
  answered_at: Date | null;
  shown_ms: number | null;
}

/** Some hundred questions a page: a fraction of a second, and little memory. */
const PAGE_SIZE = 20;

/**
 * All quizzes of an account with their questions and the learner's answers, newest first, by keyset
 * pagination. What may not be revealed yet, such as the key of an open question, is left out here too.
 */
export async function* exportQuizzes(db: Database, accountId: string) {
  let before: string | null = null;
  for (;;) {
    const quizzes = await readQuizzes(db, accountId, before);
    if (quizzes.length > 0) yield await withQuestions(db, quizzes);
    if (quizzes.length < PAGE_SIZE) return;
    before = quizzes.at(-1)!.id;
  }
}

async function readQuizzes(db: Database, accountId: string, before: string | null): Promise<Row[]> {
  const { rows } = await db.query<Row>(
    `select quiz.id, kind, topic, exam, language, instant_feedback, state, started_at, deadline_at,
       ended_at, score, total, regraded_at,
       coalesce(quiz.pass_mark, exam_profile.pass_mark) as pass_mark
     from quiz left join exam_profile on exam_profile.name = quiz.exam
     where account_id = $1 and ($2::uuid is null or quiz.id < $2)
     order by quiz.id desc limit $3`,
    [accountId, before, PAGE_SIZE],
  );
  return rows;
}

async function withQuestions(db: Database, quizzes: Row[]) {
  const { rows } = await db.query<QuestionRow>(
    `select quiz_id, uuid, question, shown.answer, incorrect, ${SHOWN_KEY} as key, topic, language,
       ${whyColumns('shown')}, shown.counted, quiz_question.marked, quiz_question.times_shown,
       quiz_answer.answer as given_answer,
       quiz_answer.correct as given_correct, answered_at, shown_ms
     from shown_question shown
     join quiz_question using (quiz_id, question_id)
     left join quiz_answer using (quiz_id, question_id)
     where quiz_id = any($1) order by shown.position`,
    [quizzes.map(({ id }) => id)],
  );
  const byQuiz = Map.groupBy(rows, ({ quiz_id }) => quiz_id);
  return quizzes.map((quiz) => toExported(quiz, byQuiz.get(quiz.id) ?? []));
}

function toExported(quiz: Row, questions: QuestionRow[]) {
  return {
    id: quiz.id,
    kind: quiz.kind,
    topic: quiz.topic,
    exam: quiz.exam,
    language: quiz.language,
    instant_feedback: quiz.instant_feedback,
    state: quiz.state,
    started_at: quiz.started_at.toISOString(),
    deadline_at: quiz.deadline_at?.toISOString() ?? null,
    ended_at: quiz.ended_at?.toISOString() ?? null,
    right_answers: quiz.score,
    counted_questions: quiz.total,
    pass_mark: quiz.pass_mark,
    corrected_at: quiz.regraded_at?.toISOString() ?? null,
    questions: questions.map((question) => toQuestion(quiz, question)),
  };
}

function toQuestion(quiz: Row, question: QuestionRow) {
  const answer = toAnswer(quiz, question);
  const revealed = answer && 'correct_answer' in answer ? answer : null;
  return {
    uuid: question.uuid,
    topic: question.topic,
    question: question.question,
    options: optionsShown(quiz.kind, question),
    marked_for_later: question.marked,
    own_answer: question.given_answer,
    answered_at: question.answered_at?.toISOString() ?? null,
    shown_ms: question.shown_ms,
    // Null while the learner may not see it.
    correct: revealed?.correct ?? null,
    correct_answer: revealed?.correct_answer ?? null,
    explanation: revealed?.explanation ?? null,
    counted: revealed && 'counted' in revealed ? (revealed.counted ?? null) : null,
  };
}

/** The results of an account that a corrected key changed, newest first. */
export async function exportCorrections(db: Queryable, accountId: string) {
  const { rows } = await db.query<{
    quiz_id: string;
    requested_at: Date;
    score_before: number;
    score_after: number;
  }>(
    `select quiz.id as quiz_id, requested_at, score_before, score_after
     from quiz join regraded_quiz on quiz_id = quiz.id join regrade on regrade.id = regrade_id
     where account_id = $1 order by requested_at desc`,
    [accountId],
  );
  return rows.map(({ quiz_id, requested_at, score_before, score_after }) => ({
    quiz_id,
    corrected_at: requested_at.toISOString(),
    right_answers_before: score_before,
    right_answers_after: score_after,
  }));
}

/** Quizzes in one batch. A practice test has 38 questions: 38 rows, and as many for its answers. */
const ERASE_BATCH_SIZE = 500;

/**
 * Deletes a batch of an account's quizzes with their questions, answers and reports. A batch ends long
 * before the statement timeout, however many quizzes the account has. The statistics of the questions stay.
 *
 * @returns whether there may be more quizzes
 */
export async function eraseQuizzes(tx: Transaction, accountId: string): Promise<boolean> {
  // Locked in the order of the ids, as everywhere, so that no two transactions deadlock.
  const { rowCount } = await tx.query(
    `delete from quiz where id = any (array(
       select id from quiz where account_id = $1 order by id limit $2 for update))`,
    [accountId, ERASE_BATCH_SIZE],
  );
  return rowCount === ERASE_BATCH_SIZE;
}
