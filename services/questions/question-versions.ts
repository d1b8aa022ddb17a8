import type { Queryable } from '#database/pool.ts';
import { readBankQuestion } from './bank-question.ts';

const CONTENT = [
  'language',
  'topic',
  'question',
  'answer',
  'incorrect',
  'explanation',
  'source_url',
  'checked_at',
];

/** What a version of a question consists of, and what an update changes. */
export const CONTENT_COLUMNS = CONTENT.join(', ');

/** The same with the number of the version, as `question_version` keeps it. */
export const ARCHIVE_COLUMNS = ['version', ...CONTENT].join(', ');

interface QuestionVersion {
  version: number;
  language: string;
  topic: string;
  question: string;
  answer: string;
  incorrect: string[];
  explanation: string | null;
  source_url: string | null;
  checked_at: string | null;
  corrected: boolean;
  corrected_answer: string | null;
  created_at: string;
  created_by: string | null;
  import_id: string | null;
}

// Who wrote a version is kept with the one before it, which says who replaced it.
const VERSIONS = `
  with version as (
    select version, language, topic, question, answer, incorrect, explanation, source_url,
           checked_at, corrected, corrected_answer, replaced_at, replaced_by, import_id
    from question_version where question_id = $1
    union all
    select version, language, topic, question, answer, incorrect, explanation, source_url,
           checked_at, false, null, null, null, null
    from question where id = $1
  )
  select version.version, version.language, version.topic, version.question, version.answer,
         version.incorrect, version.explanation, version.source_url,
         version.checked_at::text as checked_at, version.corrected, version.corrected_answer,
         coalesce(before.replaced_at, question.created_at) as created_at,
         case when before.version is null then question_import.imported_by
           else before.replaced_by end as created_by,
         case when before.version is null then question.import_id else before.import_id end
           as import_id
  from version
  join question on question.id = $1
  left join question_import on question_import.id = question.import_id
  left join version before on before.version = version.version - 1
  order by version.version desc`;

/**
 * What a question is and was, the newest first, each with who wrote it and when.
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
