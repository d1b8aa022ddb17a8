import type { Database } from '@proveklar/services/database/pool.ts';

/**
 * The statistics of all questions twice: as they were updated while answers came in and keys were
 * corrected, and counted again from the answers. They are equal once all events are consumed.
 */
export async function recount(db: Database) {
  const [kept, counted] = await Promise.all([db.query(KEPT), db.query(COUNTED)]);
  const round = (rows: Record<string, unknown>[]) =>
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          typeof value === 'number' ? Math.round(value * 1e6) / 1e6 + 0 : value,
        ]),
      ),
    );
  return { kept: round(kept.rows), counted: round(counted.rows) };
}

const KEPT = `
  select item.question_id, item.version, item.times_correct, item.times_incorrect,
         (select coalesce(jsonb_object_agg(option, times) filter (where times > 0), '{}')
          from unnest(case when old.question_id is null then question.answer || question.incorrect
                      else old.answer || old.incorrect end, chosen) as shown (option, times)
         ) as chosen,
         item.quizzes, item.quizzes_right, item.rest_sum, item.rest_squares, item.rest_right,
         all_versions.times_correct as all_correct, all_versions.times_incorrect as all_incorrect
  from item_statistics item
  join question on question.id = item.question_id
  join question_statistics all_versions on all_versions.question_id = item.question_id
  left join question_version old
    on old.question_id = item.question_id and old.version = item.version
  where item.quizzes > 0 or item.times_correct + item.times_incorrect > 0
  order by 1, 2`;

// Written independently, one answer at a time: it shares nothing with the statements that update the
// statistics.
const COUNTED = `
  with answered as (
    select quiz.id as quiz_id, asked.question_id, asked.version, given.answer, given.correct
    from quiz join quiz_question asked on asked.quiz_id = quiz.id
    join quiz_answer given on given.quiz_id = quiz.id and given.question_id = asked.question_id
    where quiz.kind = 'drill' or quiz.state = 'ended'
  ), scored as (
    select quiz.id as quiz_id, asked.question_id, asked.version,
           coalesce(given.correct, false) as correct, given.answer
    from quiz join quiz_question asked on asked.quiz_id = quiz.id and asked.counted
    left join quiz_answer given on given.quiz_id = quiz.id and given.question_id = asked.question_id
    where quiz.state = 'ended' and (quiz.kind = 'practice_test' or given.answer is not null)
      and (select count(*) from quiz_answer join quiz_question using (quiz_id, question_id)
           where quiz_id = quiz.id and counted) >= 5
  ), rested as (
    select item.question_id, item.version, item.correct, avg(other.correct::int)::float8 as rest
    from scored item
    join scored other on other.quiz_id = item.quiz_id and other.question_id <> item.question_id
    group by item.quiz_id, item.question_id, item.version, item.correct
  ), sums as (
    select question_id, version, count(*)::int as quizzes,
           count(*) filter (where correct)::int as quizzes_right, sum(rest) as rest_sum,
           sum(rest * rest) as rest_squares, sum(rest * correct::int) as rest_right
    from rested group by 1, 2
  ), counts as (
    select question_id, version, count(*) filter (where correct)::int as times_correct,
           count(*) filter (where not correct)::int as times_incorrect
    from answered group by 1, 2
  ), options as (
    select question_id, version, jsonb_object_agg(answer, times) as chosen
    from (select question_id, version, answer, count(*)::int as times
          from answered group by 1, 2, 3) each group by 1, 2
  )
  select question_id, version, coalesce(times_correct, 0) as times_correct,
         coalesce(times_incorrect, 0) as times_incorrect, coalesce(chosen, '{}') as chosen,
         coalesce(quizzes, 0) as quizzes, coalesce(quizzes_right, 0) as quizzes_right,
         coalesce(rest_sum, 0) as rest_sum, coalesce(rest_squares, 0) as rest_squares,
         coalesce(rest_right, 0) as rest_right,
         (select count(*)::int from answered where question_id = found.question_id and correct)
           as all_correct,
         (select count(*)::int from answered where question_id = found.question_id and not correct)
           as all_incorrect
  from (select question_id, version from counts union select question_id, version from sums) found
  left join counts using (question_id, version) left join sums using (question_id, version)
  left join options using (question_id, version)
  order by 1, 2`;
