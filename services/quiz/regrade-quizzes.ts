import type { Transaction } from '#database/pool.ts';
import { measuredOf, negated, sumsOfQuizzes } from '#statistics/measure-quizzes.ts';
import { moveAnswers, type RegradedAnswer } from '#statistics/move-answers.ts';
import { CORRECTED_VERSION, IS_RIGHT_NOW } from './grading.ts';

const WRONGLY_GRADED = `
  from quiz
  join quiz_question on quiz_question.quiz_id = quiz.id
  join quiz_answer on quiz_answer.quiz_id = quiz.id
    and quiz_answer.question_id = quiz_question.question_id
  join ${CORRECTED_VERSION}
  where quiz.id = any ($1::uuid[]) and quiz_answer.correct <> ${IS_RIGHT_NOW}`;

// An answer of a practice test is told of, and counted, when the test is handed in.
const GRADE = `
  with wrong as (
    select quiz_answer.quiz_id, quiz_answer.question_id, quiz_question.version,
           quiz.kind = 'drill' or quiz.state = 'ended' as is_final
    ${WRONGLY_GRADED}
    order by quiz_answer.quiz_id, quiz_answer.question_id for update of quiz_answer
  )
  update quiz_answer set correct = not correct from wrong
  where quiz_answer.quiz_id = wrong.quiz_id and quiz_answer.question_id = wrong.question_id
  returning wrong.quiz_id, wrong.question_id, wrong.version, quiz_answer.correct, is_final`;

/**
 * Grades the answers of quizzes by their corrected keys, and brings every figure that came from them
 * to what it would be had the keys been right from the beginning. The scores are left: see
 * `settleScores`. Grading what is graded changes nothing.
 */
export async function regradeAnswers(tx: Transaction, quizIds: string[]): Promise<void> {
  // Handing in, measuring and answering wait for it, and it for them.
  await tx.query('select from quiz where id = any ($1::uuid[]) order by id for no key update', [
    quizIds,
  ]);
  const { rows: found } = await tx.query<{ quiz_id: string }>(
    `select distinct quiz_answer.quiz_id ${WRONGLY_GRADED}`,
    [quizIds],
  );
  if (found.length === 0) return;
  const changing = found.map((row) => row.quiz_id);
  const measured = await measuredOf(tx, changing);
  const before = await sumsOfQuizzes(tx, measured);
  const { rows } = await tx.query<RegradedAnswer & { is_final: boolean }>(GRADE, [changing]);
  const after = await sumsOfQuizzes(tx, measured);
  const final = rows.filter((answer) => answer.is_final);
  if (final.length > 0) await moveAnswers(tx, final, [...negated(before), ...after]);
}

/**
 * Grades the answers of practice tests that are being handed in: nothing was told of them yet, so
 * nothing has to be moved.
 */
export async function regradeUntold(tx: Transaction, quizIds: string[]): Promise<void> {
  await tx.query(GRADE, [quizIds]);
}

/**
 * Grades answers that came in the moment in which a key was corrected: they were graded by the old
 * one, and stored after their quiz had been regraded. Whoever counts an answer comes after both.
 */
export async function regradeLateAnswers(
  tx: Transaction,
  answers: { quiz_id: string; question_id: number }[],
): Promise<void> {
  const { rows } = await tx.query<{ quiz_id: string }>({
    name: 'late-answers',
    text: `select distinct given.quiz_id
           from unnest($1::uuid[], $2::bigint[]) as given (quiz_id, question_id)
           join quiz_question using (quiz_id, question_id)
           join ${CORRECTED_VERSION}
           join quiz_answer on quiz_answer.quiz_id = given.quiz_id
             and quiz_answer.question_id = given.question_id
           join quiz on quiz.id = given.quiz_id
           where quiz_answer.correct <> ${IS_RIGHT_NOW}`,
    values: [answers.map((answer) => answer.quiz_id), answers.map((answer) => answer.question_id)],
  });
  if (rows.length === 0) return;
  await regradeAnswers(
    tx,
    rows.map((row) => row.quiz_id),
  );
}

export interface ChangedScore {
  quiz_id: string;
  before: number;
  after: number;
}

/** Makes the scores of ended quizzes what their answers say, and tells which changed. */
export async function settleScores(tx: Transaction, quizIds: string[]): Promise<ChangedScore[]> {
  const { rows } = await tx.query<ChangedScore>(
    `with counted as (
       select quiz.id, quiz.score, count(*) filter (where correct and counted)::int as score_now
       from quiz
       left join quiz_answer on quiz_answer.quiz_id = quiz.id
       left join quiz_question on quiz_question.quiz_id = quiz.id
         and quiz_question.question_id = quiz_answer.question_id
       where quiz.id = any ($1::uuid[]) and quiz.state = 'ended'
       group by quiz.id)
     update quiz set score = counted.score_now, regraded_at = clock_timestamp()
     from counted where quiz.id = counted.id and counted.score <> counted.score_now
     returning quiz.id as quiz_id, counted.score as before, quiz.score as after`,
    [quizIds],
  );
  return rows;
}
