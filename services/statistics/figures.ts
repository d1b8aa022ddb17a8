import type { Queryable } from '#database/pool.ts';

/** With fewer answers than this, figures say little: nothing is judged by them. */
export const ENOUGH_ANSWERS = 30;
/** Shorter quizzes are left out of the discrimination: their rest says little about a learner. */
export const MIN_ANSWERED = 5;

/**
 * A discrimination counts as negative when one this low would come by chance in fewer than one of
 * twenty questions that do not discriminate at all: it is then normal around 0 with the standard
 * deviation 1/√n. Without this, half of all that are only easy would be in the review queue.
 */
export const CHANCE_Z = 1.645;

/** What answers and quizzes tell of an item. */
export interface Figures {
  answers: number;
  /** Share of the answers that are right; null without answers. */
  facility: number | null;
  /** Ended quizzes that the discrimination comes from. */
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
 * SQL, beside a `question`: its versions whose figures belong together. The current one, and those
 * before it that differ in nothing that an answer depends on: they have the same text, options and
 * key. What was edited was the explanation, the topic, or a key that has been corrected, whose answers
 * are regraded.
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

/** SQL: the same of the questions `$1`, an array of ids. */
export const POOLED = `
  select question.id, version.version, version.answer, version.incorrect
  from question cross join lateral (${POOLED_VERSIONS}) version
  where question.id = any ($1::bigint[])`;

/** SQL: the sums over versions of one question. */
export const SUMS = `
  sum(times_correct)::int as times_correct, sum(times_correct + times_incorrect)::int as answers,
  sum(quizzes)::int as quizzes, sum(quizzes_right)::int as quizzes_right,
  sum(rest_sum) as rest_sum, sum(rest_squares) as rest_squares, sum(rest_right) as rest_right`;

/**
 * SQL: the discrimination from the running sums, as the corrected item-total correlation: Pearson's
 * correlation of the item (1 or 0) with the share of right answers in the rest of the quiz, the item
 * itself left out. Source: classical test theory, such as Ebel and Frisbie, Essentials of Educational
 * Measurement (1991), ch. 13. Null where it is not defined: all right, all wrong, or no difference
 * between the quizzes.
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

/** SQL: the figures from these sums. */
export const FIGURES = `
  answers, times_correct::float8 / nullif(answers, 0) as facility, quizzes,
  ${discriminationOf('quizzes', 'quizzes_right', 'rest_sum', 'rest_squares', 'rest_right')}
    as discrimination`;

const NOTHING: Figures = { answers: 0, facility: null, quizzes: 0, discrimination: null };

/** The figures of questions as they are now, with how often each option was chosen, by id. */
export async function readFigures(
  db: Queryable,
  questionIds: number[],
): Promise<Map<number, Figures & { options: OptionCount[] }>> {
  const { rows } = await db.query<Figures & { id: number }>(
    `with pooled as (${POOLED}), summed as (
       select pooled.id, ${SUMS}
       from pooled join item_statistics item
         on item.question_id = pooled.id and item.version = pooled.version
       group by pooled.id)
     select id, ${FIGURES} from summed`,
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
  const figures = new Map(rows.map(({ id, ...found }) => [id, found]));
  const byQuestion = Map.groupBy(options, ({ id }) => id);
  return new Map(
    questionIds.map((id) => [
      id,
      {
        ...(figures.get(id) ?? NOTHING),
        options: (byQuestion.get(id) ?? []).map(({ id: _id, ...option }) => option),
      },
    ]),
  );
}
