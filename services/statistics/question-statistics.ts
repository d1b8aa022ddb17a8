import type { MeasuredDifficulty } from '@proveklar/contract/question-quality.ts';
import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { IS_VISIBLE } from '#questions/question-filter.ts';
import {
  ANALYSIS,
  MEASURED_DIFFICULTY,
  type ItemAnalysis,
  type OptionCount,
  POOLED,
  readItemAnalysis,
} from './item-analysis.ts';

export interface VersionAnalysis extends ItemAnalysis {
  version: number;
  current: boolean;
  /** Whether its statistics are part of the question's (`POOLED_VERSIONS`). */
  pooled: boolean;
  corrected: boolean;
  question: string;
  replaced_at: Date | null;
  options: OptionCount[];
}

interface QuestionHead {
  id: number;
  uuid: string;
  question: string;
  topic: string;
  language: string;
  version: number;
  measured_difficulty: MeasuredDifficulty;
}

interface RegradeRow {
  id: string;
  requested_at: Date;
  completed_at: Date | null;
  quizzes: number;
  changed: number;
}

interface VersionRow extends Omit<VersionAnalysis, 'options'> {
  options: string[];
  key: string | null;
  chosen: (number | null)[];
}

/**
 * The statistics of a question: of the question as it is now, and of each version that was answered.
 *
 * @param question its id or uuid
 * @throws AppError `question_not_found`
 */
export async function readQuestionStatistics(db: Queryable, question: number | string) {
  const column = typeof question === 'number' ? 'id' : 'uuid';
  const { rows } = await db.query<QuestionHead>(
    `select id, uuid, question, topic, language, version, ${MEASURED_DIFFICULTY} from question
     where ${column} = $1 and ${IS_VISIBLE}`,
    [question],
  );
  const head = rows[0];
  if (!head) throw new AppError('question_not_found');
  const analysis = (await readItemAnalysis(db, [head.id])).get(head.id)!;
  return {
    ...head,
    ...analysis,
    versions: await readVersions(db, head.id),
    regrade: await lastRegrade(db, head.id),
  };
}

async function readVersions(db: Queryable, id: number): Promise<VersionAnalysis[]> {
  const { rows } = await db.query<VersionRow>(
    `with pooled as (${POOLED}), version as (
       select id as question_id, version, true as current, false as corrected, question,
              answer || incorrect as options, answer as key, null::timestamptz as replaced_at
       from question where id = any ($1::bigint[])
       union all
       select question_id, old.version, false, old.corrected, old.question,
              old.answer || old.incorrect,
              case when old.corrected then old.corrected_answer else old.answer end, old.replaced_at
       from question_version old join question on question.id = old.question_id
       where question_id = any ($1::bigint[]) and old.version < question.version
     )
     select version.version, current, corrected, question, options, key, replaced_at,
            version.version in (select version from pooled) as pooled,
            coalesce(item.chosen, '{}') as chosen, ${ANALYSIS}
     from version
     left join lateral (
       select chosen, times_correct, times_correct + times_incorrect as answers, quizzes,
              quizzes_right, rest_sum, rest_squares, rest_right
       from item_statistics where question_id = version.question_id
         and item_statistics.version = version.version) item on true
     where current or item.answers > 0
     order by version.version desc`,
    [[id]],
  );
  return rows.map(({ options, key, chosen, ...version }) => ({
    ...version,
    answers: version.answers ?? 0,
    quizzes: version.quizzes ?? 0,
    options: options
      .map((option, place) => ({
        option,
        is_key: option === key,
        times_chosen: chosen[place] ?? 0,
      }))
      // The current key comes first.
      .toSorted((a, b) => Number(b.is_key) - Number(a.is_key)),
  }));
}

async function lastRegrade(db: Queryable, questionId: number): Promise<RegradeRow | null> {
  const { rows } = await db.query<RegradeRow>(
    `select id, requested_at, completed_at, quizzes,
            (select count(*)::int from regraded_quiz where regrade_id = regrade.id) as changed
     from regrade where question_id = $1 order by id desc limit 1`,
    [questionId],
  );
  return rows[0] ?? null;
}
