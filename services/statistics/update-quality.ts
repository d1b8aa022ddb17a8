import type { Transaction } from '#database/pool.ts';
import { FIGURES, POOLED, SUMS } from './figures.ts';
import { CHANCE_Z, ENOUGH_ANSWERS } from './thresholds.ts';

// Judged again whenever something was counted: the review queue only reads the marks.
const UPDATE_QUALITY = `
  with pooled as materialized (${POOLED}), item as materialized (
    select pooled.id, pooled.version, item.chosen, pooled.answer || pooled.incorrect as options,
           pooled.key, item.times_correct, item.times_incorrect, item.quizzes, item.quizzes_right,
           item.rest_sum, item.rest_squares, item.rest_right
    from pooled join item_statistics item
      on item.question_id = pooled.id and item.version = pooled.version
  ), figures as (
    select id, ${FIGURES} from (select id, ${SUMS} from item group by id) summed
  ), chosen as (
    select id, option, option = key as is_key, sum(times) as times
    from item cross join unnest(options, chosen) as shown (option, times)
    group by id, option, key
  ), preferred as (
    select id, coalesce(max(times) filter (where not is_key), 0)
               > coalesce(max(times) filter (where is_key), 0) as wrong_option
    from chosen group by id
  )
  insert into question_quality (question_id, version, answers, facility, quizzes, discrimination,
                                wrong_option_preferred, negative_discrimination)
  select question.id, question.version, figures.answers, facility, figures.quizzes, discrimination,
         figures.answers >= ${ENOUGH_ANSWERS} and coalesce(wrong_option, false),
         figures.quizzes >= ${ENOUGH_ANSWERS}
           and coalesce(discrimination < -${CHANCE_Z} / sqrt(figures.quizzes), false)
  from figures join question on question.id = figures.id left join preferred on preferred.id = figures.id
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
