import type { Transaction } from '#database/pool.ts';
import { FIGURES, POOLED_VERSIONS, SUMS } from './figures.ts';
import { CHANCE_Z, ENOUGH_ANSWERS } from './thresholds.ts';

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
