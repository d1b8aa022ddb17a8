import type { Transaction } from '#database/pool.ts';
import { updateQuality } from './count-answers.ts';
import { MIN_ANSWERED_IN_QUIZ } from './item-analysis.ts';

/** What quizzes add to the running sums of one version of a question. */
interface ItemSums {
  question_id: number;
  version: number;
  quizzes: number;
  quizzes_right: number;
  rest_sum: number;
  rest_squares: number;
  rest_right: number;
}

// In a practice test an unanswered question counts as wrong, as in the exam. In a drill the learner did
// not reach it, and it is left out. Trial questions are left out, as in the score.
const SUMS_OF_QUIZZES = `
  with item as (
    select quiz.id as quiz_id, quiz_question.question_id, quiz_question.version,
           coalesce(quiz_answer.correct, false)::int as correct,
           count(*) over whole as items,
           count(quiz_answer.answer) over whole as answered,
           count(*) filter (where quiz_answer.correct) over whole as score
    from quiz
    join quiz_question on quiz_question.quiz_id = quiz.id
    left join quiz_answer on quiz_answer.quiz_id = quiz.id
      and quiz_answer.question_id = quiz_question.question_id
    where quiz.id = any ($1::uuid[]) and quiz_question.counted
      and (quiz.kind = 'practice_test' or quiz_answer.answer is not null)
    window whole as (partition by quiz.id)
  ), measured as (
    select question_id, version, correct, (score - correct)::float8 / (items - 1) as rest
    from item where answered >= ${MIN_ANSWERED_IN_QUIZ}
  )
  select question_id, version, count(*)::int as quizzes, sum(correct)::int as quizzes_right,
         sum(rest) as rest_sum, sum(rest * rest) as rest_squares, sum(rest * correct) as rest_right
  from measured group by question_id, version`;

/** What these quizzes add to the sums of each question version, by the current grades of their answers. */
export async function sumQuizzes(tx: Transaction, quizIds: string[]): Promise<ItemSums[]> {
  if (quizIds.length === 0) return [];
  const { rows } = await tx.query<ItemSums>({
    name: 'sums-of-quizzes',
    text: SUMS_OF_QUIZZES,
    values: [quizIds],
  });
  return rows;
}

/**
 * Adds ended quizzes to the running sums from which the discrimination of their questions is computed,
 * each quiz once. Its row locks make it wait for a regrade of the same quizzes, so that each of the two
 * sees the changes of the other.
 */
export async function measureQuizzes(tx: Transaction, quizIds: string[]): Promise<void> {
  const { rows } = await tx.query<{ quiz_id: string }>(
    `with ended as (
       select id from quiz where id = any ($1::uuid[]) and state = 'ended'
       order by id for no key update)
     insert into measured_quiz (quiz_id) select id from ended
     on conflict do nothing returning quiz_id`,
    [quizIds],
  );
  const added = rows.map((row) => row.quiz_id);
  const sums = await sumQuizzes(tx, added);
  await addToItems(
    tx,
    sums.map((item) => ({ ...item, more_correct: 0 })),
  );
  await updateQuality(
    tx,
    sums.map((item) => item.question_id),
  );
}

/** The ones of these quizzes that are already in the sums. */
export async function findMeasured(tx: Transaction, quizIds: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ quiz_id: string }>(
    'select quiz_id from measured_quiz where quiz_id = any ($1::uuid[])',
    [quizIds],
  );
  return rows.map((row) => row.quiz_id);
}

/** The sums with the opposite sign, to subtract them. */
export function negate(sums: ItemSums[]): ItemSums[] {
  return sums.map((item) => ({
    ...item,
    quizzes: -item.quizzes,
    quizzes_right: -item.quizzes_right,
    rest_sum: -item.rest_sum,
    rest_squares: -item.rest_squares,
    rest_right: -item.rest_right,
  }));
}

/** A regraded answer whose first grade was already reported in `answer.submitted`. */
export interface RegradedAnswer {
  question_id: number;
  version: number;
  /** The new grade; the old one was the opposite. */
  correct: boolean;
}

const NO_SUMS = { quizzes: 0, quizzes_right: 0, rest_sum: 0, rest_squares: 0, rest_right: 0 };

/**
 * Moves answers between right and wrong, and adds the difference in their quizzes' sums. An answer that
 * is still waiting to be counted may be moved too: the order of additions does not matter.
 *
 * The tables are locked in the same order as in `countAnswers`, so that the two never deadlock.
 */
export async function moveRegradedAnswers(
  tx: Transaction,
  answers: RegradedAnswer[],
  sums: ItemSums[],
): Promise<void> {
  await tx.query(
    `insert into question_statistics (question_id, times_correct, times_incorrect)
     select question.id, sum(more_correct), -sum(more_correct)
     from unnest($1::bigint[], $2::int[]) as given (question_id, more_correct)
     join question on question.id = given.question_id
     group by question.id order by question.id
     on conflict (question_id) do update set
       times_correct = question_statistics.times_correct + excluded.times_correct,
       times_incorrect = question_statistics.times_incorrect + excluded.times_incorrect`,
    [answers.map((answer) => answer.question_id), answers.map(moreCorrect)],
  );
  await addToItems(tx, [
    ...sums.map((item) => ({ ...item, more_correct: 0 })),
    ...answers.map((answer) => ({ ...NO_SUMS, ...answer, more_correct: moreCorrect(answer) })),
  ]);
  await updateQuality(
    tx,
    [...answers, ...sums].map((item) => item.question_id),
  );
}

const moreCorrect = ({ correct }: RegradedAnswer) => (correct ? 1 : -1);

/** What is added to the row of a question version: to its sums and to its counts of answers. */
interface ItemDelta extends ItemSums {
  /** Answers that turned from wrong to right; negative for the opposite. */
  more_correct: number;
}

/** Adds to the running sums, in the order of the question ids. */
async function addToItems(tx: Transaction, items: ItemDelta[]): Promise<void> {
  await tx.query({
    name: 'add-to-items',
    text: `insert into item_statistics (question_id, version, times_correct, times_incorrect,
                                        quizzes, quizzes_right, rest_sum, rest_squares, rest_right)
           select item.question_id, item.version, sum(more_correct), -sum(more_correct),
                  sum(item.quizzes), sum(item.quizzes_right),
                  sum(item.rest_sum), sum(item.rest_squares), sum(item.rest_right)
           from unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::float8[], $6::float8[],
                       $7::float8[], $8::int[])
             as item (question_id, version, quizzes, quizzes_right, rest_sum, rest_squares,
                      rest_right, more_correct)
           join question on question.id = item.question_id
           group by item.question_id, item.version order by item.question_id, item.version
           on conflict (question_id, version) do update set
             times_correct = item_statistics.times_correct + excluded.times_correct,
             times_incorrect = item_statistics.times_incorrect + excluded.times_incorrect,
             quizzes = item_statistics.quizzes + excluded.quizzes,
             quizzes_right = item_statistics.quizzes_right + excluded.quizzes_right,
             rest_sum = item_statistics.rest_sum + excluded.rest_sum,
             rest_squares = item_statistics.rest_squares + excluded.rest_squares,
             rest_right = item_statistics.rest_right + excluded.rest_right`,
    values: [
      items.map((item) => item.question_id),
      items.map((item) => item.version),
      items.map((item) => item.quizzes),
      items.map((item) => item.quizzes_right),
      items.map((item) => item.rest_sum),
      items.map((item) => item.rest_squares),
      items.map((item) => item.rest_right),
      items.map((item) => item.more_correct),
    ],
  });
}
