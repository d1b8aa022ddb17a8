import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { IS_VISIBLE } from './visible.ts';

/** A question of the bank as an administrator sees it. Times are ISO 8601, dates YYYY-MM-DD. */
export interface BankQuestion {
  id: number;
  uuid: string;
  question: string;
  answer: string;
  incorrect: string[];
  topic: string;
  language: string;
  validated: boolean;
  retired_at: string | null;
  version: number;
  times_selected: number;
  times_correct: number;
  times_incorrect: number;
  times_reported: number;
  /** With one decimal; null when it was never answered. */
  correct_percent: number | null;
  explanation: string | null;
  source_url: string | null;
  checked_at: string | null;
  tags: string[];
  group: string | null;
  import_id: string | null;
  created_at: string;
  /** Null: never edited. */
  updated_at: string | null;
  /** Whether a quiz or a report refers to it. */
  is_used: boolean;
}

type Row = Omit<BankQuestion, 'retired_at' | 'created_at' | 'updated_at'> & {
  retired_at: Date | null;
  created_at: Date;
  updated_at: Date | null;
};

/** SQL: whether deleting a question would take something from a learner's history. */
export const IS_USED = `
  (exists (select from quiz_question where question_id = question.id)
   or exists (select from feedback where question_id = question.id))`;

const SELECT = `
  select question.id, uuid, question, answer, incorrect, topic, language, validated, retired_at,
         version, coalesce(times_selected, 0) as times_selected,
         coalesce(times_correct, 0) as times_correct,
         coalesce(times_incorrect, 0) as times_incorrect,
         coalesce(times_reported, 0) as times_reported,
         round(100.0 * times_correct / nullif(times_correct + times_incorrect, 0), 1)::float8
           as correct_percent,
         explanation, source_url, checked_at::text as checked_at, tags,
         translation_group as "group", import_id, created_at,
         (select max(replaced_at) from question_version
          where question_id = question.id) as updated_at,
         ${IS_USED} as is_used
  from question left join question_statistics on question_id = question.id`;

/** Questions by their ids, in that order; one that is gone is left out. */
export async function readBankQuestions(db: Queryable, ids: number[]): Promise<BankQuestion[]> {
  const { rows } = await db.query<Row>(
    `${SELECT} where question.id = any ($1) order by array_position($1::bigint[], question.id)`,
    [ids],
  );
  return rows.map(toBankQuestion);
}

/**
 * One question, by its id or uuid.
 *
 * @throws AppError `question_not_found`, also for one whose import is not complete
 */
export async function readBankQuestion(
  db: Queryable,
  question: number | string,
): Promise<BankQuestion> {
  const column = typeof question === 'number' ? 'id' : 'uuid';
  const { rows } = await db.query<Row>(
    `${SELECT} where question.${column} = $1 and ${IS_VISIBLE}`,
    [question],
  );
  if (!rows[0]) throw new AppError('question_not_found');
  return toBankQuestion(rows[0]);
}

function toBankQuestion(row: Row): BankQuestion {
  return {
    ...row,
    retired_at: row.retired_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  };
}
