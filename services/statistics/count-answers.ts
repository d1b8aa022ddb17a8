import type { Transaction } from '#database/pool.ts';
import type { EventPayload } from '#events/catalogue.ts';
import { CHANCE_Z, ENOUGH_ANSWERS, FIGURES, POOLED_VERSIONS, SUMS } from './figures.ts';

// Questions are counted in the order of their ids, and the tables in this order, so that two workers
// never wait for each other in a circle. A question deleted meanwhile is left out.
const COUNT_ANSWERS = `
  insert into question_statistics (question_id, times_correct, times_incorrect)
  select given.question_id, count(*) filter (where correct), count(*) filter (where not correct)
  from unnest($1::bigint[], $2::boolean[]) as given (question_id, correct)
  join question on question.id = given.question_id
  group by given.question_id order by given.question_id
  on conflict (question_id) do update set
    times_correct = question_statistics.times_correct + excluded.times_correct,
    times_incorrect = question_statistics.times_incorrect + excluded.times_incorrect`;

/** A key and at most nine distractors. */
const PLACES = Array.from({ length: 10 }, (_, index) => index + 1);

const chosenAt = (place: number) => `count(*) filter (where place = ${place})`;

const added = (place: number) =>
  `coalesce(item_statistics.chosen[${place}], 0) + coalesce(excluded.chosen[${place}], 0)`;

// Options are counted by their place in the version that was shown, which never changes. The answer
// itself is read here: events carry no texts.
const COUNT_ITEMS = `
  with given as (
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

/** Adds answers to their questions' statistics. Call it once for each answer. */
export async function countAnswers(
  tx: Transaction,
  answers: EventPayload<'answer.submitted'>[],
): Promise<void> {
  const quizIds = answers.map((answer) => answer.quiz_id);
  const questionIds = answers.map((answer) => answer.question_id);
  const correct = answers.map((answer) => answer.correct);
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
  await updateQuality(tx, questionIds);
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

// Judged again whenever something was counted: the review queue only reads the marks. Each question
// is looked up by itself. Joining what is computed of all of them would take the planner's guess for
// their number, which is far off, and cost the square of it.
const UPDATE_QUALITY = `
  insert into question_quality (question_id, version, answers, facility, quizzes, discrimination,
                                wrong_option_preferred, negative_discrimination)
  select question.id, question.version, figures.*,
         figures.answers >= ${ENOUGH_ANSWERS} and coalesce(preferred.wrong_option, false),
         figures.quizzes >= ${ENOUGH_ANSWERS}
           and coalesce(figures.discrimination < -${CHANCE_Z} / sqrt(figures.quizzes), false)
  from unnest($1::bigint[]) as given (id)
  join question on question.id = given.id
  cross join lateral (
    select ${SUMS}
    from (${POOLED_VERSIONS}) pooled
    join item_statistics item on item.question_id = question.id and item.version = pooled.version
  ) summed
  cross join lateral (select ${FIGURES}) figures
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
  where figures.answers is not null
  order by question.id
  on conflict (question_id) do update set
    version = excluded.version, answers = excluded.answers, facility = excluded.facility,
    quizzes = excluded.quizzes, discrimination = excluded.discrimination,
    wrong_option_preferred = excluded.wrong_option_preferred,
    negative_discrimination = excluded.negative_discrimination`;

/** Judges questions anew by what is counted of them; those of which nothing is counted are left out. */
export async function updateQuality(tx: Transaction, questionIds: number[]): Promise<void> {
  const distinct = [...new Set(questionIds)];
  await tx.query({ name: 'update-quality', text: UPDATE_QUALITY, values: [distinct] });
}
