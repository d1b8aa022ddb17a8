import type { Area, Image } from '@proveklar/contract/images.ts';
import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { imageOf } from '#images/images.ts';
import { IS_VISIBLE } from './question-filter.ts';

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
  /** Counts all edits, also those that make no new version. */
  revision: number;
  times_selected: number;
  times_correct: number;
  times_incorrect: number;
  times_reported: number;
  /** With one decimal; null when it was never answered. */
  correct_percent: number | null;
  explanation: string | null;
  source_url: string | null;
  checked_at: string | null;
  /** In the order of `incorrect`; null without any. */
  incorrect_reasons: (string | null)[] | null;
  source_title: string | null;
  excludes: string[];
  valid_from: string | null;
  ages: number | null;
  image: Image | null;
  areas: Area[] | null;
  tags: string[];
  group: string | null;
  import_id: string | null;
  created_at: string;
  /** Null when it was never edited. */
  updated_at: string | null;
  /** Whether a quiz or a report refers to it. */
  is_used: boolean;
  /** The question that it was merged into when it was retired; null for none. */
  merged_into: number | null;
}

type Row = Omit<BankQuestion, 'retired_at' | 'created_at' | 'updated_at'> & {
  retired_at: Date | null;
  created_at: Date;
  updated_at: Date | null;
};

/** SQL: whether a quiz or a report refers to the question, so that it must not be deleted. */
export const IS_USED = `
  (exists (select from quiz_question where question_id = question.id)
   or exists (select from feedback where question_id = question.id))`;

const SELECT = `
  select question.id, uuid, question, answer, incorrect, topic, language, validated, retired_at,
         version, revision, coalesce(times_selected, 0) as times_selected,
         coalesce(times_correct, 0) as times_correct,
         coalesce(times_incorrect, 0) as times_incorrect,
         coalesce(times_reported, 0) as times_reported,
         round(100.0 * times_correct / nullif(times_correct + times_incorrect, 0), 1)::float8
           as correct_percent,
         explanation, source_url, checked_at::text as checked_at, incorrect_reasons, source_title,
         excludes, valid_from::text as valid_from, ages, ${imageOf('question')} as image, areas, tags,
         translation_group as "group", import_id, created_at,
         (select max(replaced_at) from question_version
          where question_id = question.id) as updated_at,
         (select into_id from question_merge where question_id = question.id) as merged_into,
         ${IS_USED} as is_used
  from question left join question_statistics on question_id = question.id`;

/** Reads questions by their ids, in that order; deleted ones are left out. */
export async function readBankQuestions(db: Queryable, ids: number[]): Promise<BankQuestion[]> {
  const { rows } = await db.query<Row>(
    `${SELECT} where question.id = any ($1) order by array_position($1::bigint[], question.id)`,
    [ids],
  );
  return rows.map(toBankQuestion);
}

/**
 * Reads a question by its id or uuid.
 *
 * @throws AppError `question_not_found`, also for a question of an unfinished import
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

const CONTENT = [
  'language',
  'topic',
  'question',
  'answer',
  'incorrect',
  'explanation',
  'source_url',
  'checked_at',
  'incorrect_reasons',
  'source_title',
  'excludes',
  'valid_from',
  'ages',
  'image_hash',
  'image_alt',
  'areas',
];

/** The columns that a version of a question has, and that an update changes. */
export const CONTENT_COLUMNS = CONTENT.join(', ');
/** The columns of `question_version`: the content with its version number. */
export const ARCHIVE_COLUMNS = ['version', ...CONTENT].join(', ');

/** A version of a question. Times are ISO 8601, dates YYYY-MM-DD. */
export interface QuestionVersion {
  version: number;
  language: string;
  topic: string;
  question: string;
  answer: string;
  incorrect: string[];
  explanation: string | null;
  source_url: string | null;
  checked_at: string | null;
  incorrect_reasons: (string | null)[] | null;
  source_title: string | null;
  excludes: string[];
  valid_from: string | null;
  ages: number | null;
  image: Image | null;
  areas: Area[] | null;
  corrected: boolean;
  corrected_answer: string | null;
  created_at: string;
  created_by: string | null;
  import_id: string | null;
}

// The author of a version is stored in the version before it, as the one who replaced that.
const VERSIONS = `
  with version as (
    select ${ARCHIVE_COLUMNS}, corrected, corrected_answer, replaced_at, replaced_by, import_id
    from question_version where question_id = $1
    union all
    select ${ARCHIVE_COLUMNS}, false, null, null, null, null
    from question where id = $1
  )
  select version.version, version.language, version.topic, version.question, version.answer,
         version.incorrect, version.explanation, version.source_url,
         version.checked_at::text as checked_at, version.incorrect_reasons, version.source_title,
         version.excludes, version.valid_from::text as valid_from, version.ages,
         ${imageOf('version')} as image, version.areas, version.corrected, version.corrected_answer,
         coalesce(before.replaced_at, question.created_at) as created_at,
         case when before.version is null
             then coalesce(question_import.imported_by, question.created_by)
           else before.replaced_by end as created_by,
         case when before.version is null then question.import_id else before.import_id end
           as import_id
  from version
  join question on question.id = $1
  left join question_import on question_import.id = question.import_id
  left join version before on before.version = version.version - 1
  order by version.version desc`;

/**
 * The versions of a question, newest first, with author and time.
 *
 * @throws AppError `question_not_found`
 */
export async function listVersions(
  db: Queryable,
  question: number | string,
): Promise<QuestionVersion[]> {
  const { id } = await readBankQuestion(db, question);
  const { rows } = await db.query<Omit<QuestionVersion, 'created_at'> & { created_at: Date }>(
    VERSIONS,
    [id],
  );
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}
