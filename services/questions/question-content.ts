import type { Area } from '@proveklar/contract/images.ts';
import type { Queryable } from '#database/pool.ts';
import { isUniqueViolation } from '#database/sql-state.ts';
import { AppError } from '#errors/app-error.ts';
import { IS_VISIBLE } from './question-filter.ts';
import { checkRow, normalizeTopic, type RowFault, tidyReasons } from './question-row.ts';

// What one question says, and its rules, which are those of a row of an import.

/** What an edit may leave out; the picture is then that with this hash. */
export interface OptionalContent {
  incorrect_reasons: (string | null)[] | null;
  source_title: string | null;
  excludes: string[];
  valid_from: string | null;
  ages: number | null;
  image_hash: string | null;
  image_alt: string | null;
  areas: Area[] | null;
}

/** What an administrator can edit. */
export interface QuestionContent extends OptionalContent {
  question: string;
  answer: string;
  incorrect: string[];
  topic: string;
  explanation: string | null;
  source_url: string | null;
  checked_at: string | null;
  tags: string[];
}

/** The columns of the content. */
export const FIELDS = [
  'question',
  'answer',
  'incorrect',
  'topic',
  'explanation',
  'source_url',
  'checked_at',
  'tags',
  'incorrect_reasons',
  'source_title',
  'excludes',
  'valid_from',
  'ages',
  'image_hash',
  'image_alt',
  'areas',
] as const satisfies (keyof QuestionContent)[];

/** A change of these fields makes no new version, because they do not change what is asked and explained. */
export const UNVERSIONED_FIELDS = new Set<string>([
  'checked_at',
  'tags',
  'excludes',
  'valid_from',
  'ages',
]);

/** The error of content that the rules for import rows refuse. */
export function invalid(faults: RowFault[]): AppError {
  const [{ field, reason } = { field: '', reason: '' }] = faults;
  return new AppError('validation_failed', {
    message: `${field || 'The question'} is not valid: ${reason}`,
    details: { field, faults },
  });
}

/** Stands for a picture that the question has already. */
const KEPT_PICTURE = 'data:';

/** The normalized content, validated by the rules for import rows. */
export function validated(
  language: string,
  content: QuestionContent,
  newImage?: string | null,
): QuestionContent {
  const image = newImage ?? (content.image_hash === null ? undefined : KEPT_PICTURE);
  const { source_url, checked_at, source_title, valid_from, ages } = content;
  const explanation = content.explanation?.trim() ? content.explanation : null;
  const incorrect_reasons = tidyReasons(content.incorrect_reasons);
  const result = checkRow({
    language,
    topic: content.topic,
    question: content.question,
    answer: content.answer,
    incorrect: content.incorrect,
    tags: content.tags,
    excludes: content.excludes,
    ...(incorrect_reasons !== null && { incorrect_reasons }),
    ...(source_title !== null && { source_title }),
    ...(valid_from !== null && { valid_from }),
    ...(ages !== null && { ages }),
    ...(explanation !== null && { explanation }),
    ...(source_url !== null && { source_url }),
    ...(checked_at !== null && { checked_at }),
    ...(image !== undefined && { image }),
    ...(content.image_alt !== null && { image_alt: content.image_alt }),
    ...(content.areas !== null && { areas: content.areas }),
  });
  if ('faults' in result) throw invalid(result.faults);
  const { topic, question } = content;
  return {
    ...content,
    topic: normalizeTopic(topic),
    question: question.trim(),
    explanation,
    incorrect_reasons,
  };
}

/** An array that is stored as JSON; the driver would make a PostgreSQL array of it. */
export function toColumn(field: (typeof FIELDS)[number], content: QuestionContent): unknown {
  return field === 'areas' && content.areas ? JSON.stringify(content.areas) : content[field];
}

/** The error `question_duplicate`, with the other question that has this text, unless it is not visible yet. */
export async function duplicateError(
  db: Queryable,
  { language, question }: { language: string; question: string },
): Promise<AppError> {
  const { rows } = await db.query<{ id: number; uuid: string }>(
    `select id, uuid from question
     where language = $1 and text_key = question_text_key($2) and retired_at is null and ${IS_VISIBLE}`,
    [language, question],
  );
  const details = rows[0] && { question_id: rows[0].id, uuid: rows[0].uuid };
  return new AppError('question_duplicate', { details: { field: 'question', ...details } });
}

/** Whether the error means that the bank has another active question with this text. */
export function isDuplicateText(error: unknown): boolean {
  return isUniqueViolation(error, 'question_text');
}
