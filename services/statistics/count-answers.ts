import { arrayLiteral } from '#database/array-literal.ts';
import type { Transaction } from '#database/pool.ts';
import type { EventPayload } from '#events/catalogue.ts';
import { SIGNIFICANT_Z, MIN_ANSWERS, ANALYSIS, POOLED_VERSIONS, SUMS } from './item-analysis.ts';

// Rows are locked in the order of the question ids, and the tables in this order, so that two workers
// never deadlock. A question that was deleted meanwhile is left out.
const COUNT_ANSWERS = `
  insert into question_statistics (question_id, times_correct, times_incorrect)
  select given.question_id, count(*) filter (where correct), count(*) filter (where not correct)
  from unnest($1::bigint[], $2::boolean[]) as given (question_id, correct)
  join question on question.id = given.question_id
  group by given.question_id order by given.question_id
  on conflict (question_id) do update set
    times_correct = question_statistics.times_correct + excluded.times_correct,
    times_incorrect = question_statistics.times_incorrect + excluded.times_incorrect`;

/** The places of the options: a key and at most nine distractors. */
const PLACES = Array.from({ length: 10 }, (_, index) => index + 1);

const chosenAt = (place: number) => `count(*) filter (where place = ${place})`;

const added = (place: number) =>
  `coalesce(item_statistics.chosen[${place}], 0) + coalesce(excluded.chosen[${place}], 0)`;

// Options are counted by their place in the version that was shown, which never changes. The text of
// the answer is read from quiz_answer, because events carry no texts.
const COUNT_ITEMS = `
  with given as materialized (
    select shown.question_id, shown.version, given.correct,
           1 + cardinality(shown.incorrect) as options,
           array_position(shown.answer || shown.incorrect, quiz_answer.answer) as place
    from unnest($1::uuid[], $2::bigint[], $3::boolean[]) as given (quiz_id, question_id, correct)
    join quiz_answer using (quiz_id, question_id)
    join shown_question shown using (quiz_id, question_id)
  )
  insert into item_statistics (question_id, version, times_correct, times_incorrect, chosen)
  select question_id, version, count(*) filter (where correct), count(*) filter (where not correct),
         (array[${PLACES.map(chosenAt).join(', ')}])[1:max(options)]
  from given group by question_id, version order by question_id, version
  on conflict (question_id, version) do update set
    times_correct = item_statistics.times_correct + excluded.times_correct,
    times_incorrect = item_statistics.times_incorrect + excluded.times_incorrect,
    chosen = (array[${PLACES.map(added).join(', ')}])[1:cardinality(excluded.chosen)]`;

/** Adds a batch of answers to the statistics of their questions. Call it once for each answer. */
export async function countAnswers(
  tx: Transaction,
  answers: EventPayload<'answer.submitted'>[],
): Promise<void> {
  const quizIds = arrayLiteral(answers.map((answer) => answer.quiz_id));
  const questionIds = arrayLiteral(answers.map((answer) => answer.question_id));
  const correct = arrayLiteral(answers.map((answer) => answer.correct));
  await tx.query({
    name: 'count-answers',
    text: COUNT_ANSWERS,
    values: [questionIds, correct],
  });
  await tx.query({
    name: 'count-items',
    text: COUNT_ITEMS,
    values: [quizIds, questionIds, correct],
  });
  await updateQuality(
    tx,
    answers.map((answer) => answer.question_id),
  );
}

const COUNT_SELECTIONS = `
  insert into question_statistics (question_id, times_selected)
  select drawn.question_id, count(*)
  from unnest($1::bigint[]) as drawn (question_id)
  join question on question.id = drawn.question_id
  group by drawn.question_id order by drawn.question_id
  on conflict (question_id) do update set
    times_selected = question_statistics.times_selected + excluded.times_selected`;

/** Adds one selection for each question drawn into a quiz. Call it once for each quiz. */
export async function countSelections(tx: Transaction, questionIds: number[]): Promise<void> {
  await tx.query(COUNT_SELECTIONS, [questionIds]);
}

/** Adds one report to each question's statistics. Call it once for each report. */
export async function countReports(tx: Transaction, questionIds: number[]): Promise<void> {
  await tx.query(
    `insert into question_statistics (question_id, times_reported)
     select reported.question_id, count(*)
     from unnest($1::bigint[]) as reported (question_id)
     join question on question.id = reported.question_id
     group by reported.question_id order by reported.question_id
     on conflict (question_id) do update set
       times_reported = question_statistics.times_reported + excluded.times_reported`,
    [questionIds],
  );
}

// The verdicts are updated whenever answers are counted, so that the review queue only reads them.
// Lateral joins compute each question separately: in a join of the results for all questions, the
// planner's row estimate is far off, and the cost grows with the square of their number.
const UPDATE_QUALITY = `
  insert into question_quality (question_id, version, answers, facility, quizzes, discrimination,
                                wrong_option_preferred, negative_discrimination)
  select question.id, question.version, analysis.*,
         analysis.answers >= ${MIN_ANSWERS} and coalesce(preferred.wrong_option, false),
         analysis.quizzes >= ${MIN_ANSWERS}
           and coalesce(analysis.discrimination < -${SIGNIFICANT_Z} / sqrt(analysis.quizzes), false)
  from unnest($1::bigint[]) as given (id)
  join question on question.id = given.id
  cross join lateral (
    select ${SUMS}
    from (${POOLED_VERSIONS}) pooled
    join item_statistics item on item.question_id = question.id and item.version = pooled.version
  ) summed
  cross join lateral (select ${ANALYSIS}) analysis
  cross join lateral (
    select max(times) filter (where not is_key) > coalesce(max(times) filter (where is_key), 0)
             as wrong_option
    from (
      select option = question.answer as is_key, sum(times) as times
      from (${POOLED_VERSIONS}) pooled
      join item_statistics item on item.question_id = question.id and item.version = pooled.version
      cross join unnest(pooled.answer || pooled.incorrect, item.chosen) as shown (option, times)
      group by option) chosen
  ) preferred
  where analysis.answers is not null
  order by question.id
  on conflict (question_id) do update set
    version = excluded.version, answers = excluded.answers, facility = excluded.facility,
    quizzes = excluded.quizzes, discrimination = excluded.discrimination,
    wrong_option_preferred = excluded.wrong_option_preferred,
    negative_discrimination = excluded.negative_discrimination`;

/** Recomputes facility, discrimination and verdicts of questions; questions without answers are left out. */
export async function updateQuality(tx: Transaction, questionIds: number[]): Promise<void> {
  const distinct = [...new Set(questionIds)];
  await tx.query({
    name: 'update-quality',
    text: UPDATE_QUALITY,
    values: [arrayLiteral(distinct)],
  });
}
