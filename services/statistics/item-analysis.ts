import type { Queryable } from '#database/pool.ts';

/** With fewer answers, facility and discrimination say little: no verdict is based on them. */
export const MIN_ANSWERS = 30;
/**
 * Quizzes with fewer answers are left out of the discrimination: the rest of such a quiz says little
 * about the learner.
 */
export const MIN_ANSWERED_IN_QUIZ = 5;

/**
 * A discrimination counts as negative at the one-sided 5 % level: fewer than one in twenty questions
 * that do not discriminate at all gets so low a value by chance. Such values are normally distributed
 * around 0 with the standard deviation 1/√n. Without this threshold, half of the questions that are
 * merely easy would be in the review queue.
 */
export const SIGNIFICANT_Z = 1.645;

/** Item analysis of a question, from its answers and the quizzes that it was in. */
export interface ItemAnalysis {
  answers: number;
  /** Share of right answers, from 0 to 1; null without answers. */
  facility: number | null;
  /** Ended quizzes that the discrimination is computed from. */
  quizzes: number;
  /** From -1 to 1; null where it is not defined. */
  discrimination: number | null;
}

export interface OptionCount {
  option: string;
  is_key: boolean;
  times_chosen: number;
}

/**
 * SQL, for a joined `question`: the versions whose statistics are pooled. These are the current
 * version and the earlier ones with the same text, options and key. Between them, only the explanation
 * or the topic was edited, or the key was corrected; the answers to a corrected key are regraded.
 */
export const POOLED_VERSIONS = `
  select question.version, question.answer, question.incorrect
  union all
  select old.version, old.answer, old.incorrect
  from question_version old
  where old.question_id = question.id and old.version < question.version and question.version > 1
    and old.question = question.question
    and case when old.corrected then old.corrected_answer else old.answer end = question.answer
    and (old.answer || old.incorrect) @> (question.answer || question.incorrect)
    and (old.answer || old.incorrect) <@ (question.answer || question.incorrect)`;

/** SQL: the pooled versions of the questions `$1`, an array of ids. */
export const POOLED = `
  select question.id, version.version, version.answer, version.incorrect
  from question cross join lateral (${POOLED_VERSIONS}) version
  where question.id = any ($1::bigint[])`;

/** SQL: sums over the pooled versions of one question. */
export const SUMS = `
  sum(times_correct)::int as times_correct, sum(times_correct + times_incorrect)::int as answers,
  sum(quizzes)::int as quizzes, sum(quizzes_right)::int as quizzes_right,
  sum(rest_sum) as rest_sum, sum(rest_squares) as rest_squares, sum(rest_right) as rest_right`;

/**
 * SQL: the discrimination from the running sums. It is the corrected item-total correlation: Pearson's
 * correlation between the item (1 or 0) and the share of right answers in the rest of the quiz, without
 * the item itself. Source: classical test theory, such as Ebel and Frisbie, Essentials of Educational
 * Measurement (1991), ch. 13. It is null where it is undefined: all answers right, all wrong, or no
 * difference between the quizzes.
 */
const discriminationOf = (
  n: string,
  right: string,
  rest: string,
  squares: string,
  both: string,
) => `
  case when ${n} >= 2 and ${right} between 1 and ${n} - 1 and ${n} * ${squares} - ${rest} ^ 2 > 1e-6
    then greatest(-1, least(1, (${n} * ${both} - ${right} * ${rest})
      / sqrt((${n} * ${right} - (${right}::float8) ^ 2) * (${n} * ${squares} - ${rest} ^ 2)))) end`;

/** SQL: facility and discrimination from `SUMS`. */
export const ANALYSIS = `
  answers, times_correct::float8 / nullif(answers, 0) as facility, quizzes,
  ${discriminationOf('quizzes', 'quizzes_right', 'rest_sum', 'rest_squares', 'rest_right')}
    as discrimination`;

const NO_ANSWERS: ItemAnalysis = { answers: 0, facility: null, quizzes: 0, discrimination: null };

/** SQL, for a joined `question`: how hard the last refit found it (`learning/refit.ts`); null if it did not. */
export const MEASURED_DIFFICULTY = `(
  select jsonb_build_object('logits', round(difficulty::numeric, 2), 'answers', answers)
  from question_difficulty where question_id = question.id) as measured_difficulty`;

/** The item analysis of the current question versions, with how often each option was chosen, by id. */
export async function readItemAnalysis(
  db: Queryable,
  questionIds: number[],
): Promise<Map<number, ItemAnalysis & { options: OptionCount[] }>> {
  const { rows } = await db.query<ItemAnalysis & { id: number }>(
    `with pooled as (${POOLED}), summed as (
       select pooled.id, ${SUMS}
       from pooled join item_statistics item
         on item.question_id = pooled.id and item.version = pooled.version
       group by pooled.id)
     select id, ${ANALYSIS} from summed`,
    [questionIds],
  );
  const { rows: options } = await db.query<OptionCount & { id: number }>(
    `with pooled as (${POOLED}), counted as (
       select pooled.id, option, sum(coalesce(times, 0))::int as times_chosen
       from pooled join item_statistics item
         on item.question_id = pooled.id and item.version = pooled.version
       cross join unnest(pooled.answer || pooled.incorrect, item.chosen) as shown (option, times)
       group by pooled.id, option)
     select question.id, shown.option, place = 1 as is_key,
            coalesce(counted.times_chosen, 0) as times_chosen
     from question
     cross join unnest(question.answer || question.incorrect)
       with ordinality as shown (option, place)
     left join counted on counted.id = question.id and counted.option = shown.option
     where question.id = any ($1::bigint[]) order by question.id, place`,
    [questionIds],
  );
  const analyses = new Map(rows.map(({ id, ...analysis }) => [id, analysis]));
  const byQuestion = Map.groupBy(options, ({ id }) => id);
  return new Map(
    questionIds.map((id) => [
      id,
      {
        ...(analyses.get(id) ?? NO_ANSWERS),
        options: (byQuestion.get(id) ?? []).map(({ id: _id, ...option }) => option),
      },
    ]),
  );
}
