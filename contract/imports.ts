import { type Static, Type } from 'typebox';
import { Closed, OrNull, Timestamp, Uuid } from './common.ts';
import { IMAGE_FAULTS } from './image-faults.ts';
import { Areas, ImageAlt, ImageData } from './images.ts';
import { LANGUAGE_CODE } from './language.ts';
import {
  MAX_DISTRACTORS,
  MAX_EXCLUDED_GROUPS,
  MAX_EXPLANATION_LENGTH,
  MAX_TAGS,
  MAX_TEXT_LENGTH,
  MAX_TOPIC_LENGTH,
} from './limits.ts';

// Imports of questions: the rows of a file, the progress of an import, its report, and the near-duplicates that it
// added.

/**
 * - `receiving`: the file is being uploaded, and read meanwhile; `processing`: the upload is complete
 * - `checked`: a dry run is complete; its rows are hidden until `confirm` or `discard`
 * - `completed`: its questions are in the bank
 * - `refused` (the file), `cancelled`, `discarded`, `failed` (on our side): nothing is in the bank
 * - `undoing`, `undone`: undone after it had completed
 */
export const IMPORT_STATES = [
  'receiving',
  'processing',
  'checked',
  'completed',
  'refused',
  'cancelled',
  'discarded',
  'failed',
  'undoing',
  'undone',
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/**
 * Why a whole file is refused.
 *
 * - `empty`: the file is empty
 * - `not_an_array`: it does not begin with `[`
 * - `not_json`: a part of it is not JSON
 * - `cut_off`: it ends in the middle
 * - `more_after_the_end`: something follows the array
 * - `interrupted`: the upload was interrupted
 * - `csv_header`: the first line does not name the required columns
 * - `not_csv`: a quote is not closed, or a line has more cells than the header
 */
const REFUSALS = [
  'empty',
  'not_an_array',
  'not_json',
  'cut_off',
  'more_after_the_end',
  'interrupted',
  'csv_header',
  'not_csv',
] as const;
export type RefusalReason = (typeof REFUSALS)[number];

/** Warnings about an imported row. */
const ROW_WARNINGS = ['language_not_offered'] as const;
export type RowWarningReason = (typeof ROW_WARNINGS)[number];

/** Why a row was rejected. */
const ROW_FAULTS = [
  'missing',
  'unknown_field',
  'not_an_object',
  'not_text',
  'not_a_list',
  'blank',
  'too_long',
  'too_few',
  'too_many',
  'same_twice',
  'language_code',
  'reserved_name',
  'not_a_date',
  'not_a_year',
  'not_as_many',
  'not_a_web_address',
  'not_a_uuid',
  'uuid_not_random',
  'needs_image',
  ...IMAGE_FAULTS,
  'not_a_shape',
  'not_the_options',
  'unstorable',
  'not_utf8',
  'too_large',
  'too_deep',
] as const;
export type RowFaultReason = (typeof ROW_FAULTS)[number];

/** Years in which a fact can be looked at again. */
export const Year = Type.Integer({ minimum: 2000, maximum: 2999 });

// PostgreSQL has no year 0.
const Day = Type.String({ format: 'date', pattern: '^(?!0000)' });

const NotBlank = Type.String({ pattern: '\\S', maxLength: MAX_TEXT_LENGTH });

/** A row of an import file: the required fields, and the optional ones. */
export const QuestionRow = Closed({
  language: Type.String({ pattern: LANGUAGE_CODE }),
  topic: Type.String({ pattern: '\\S', maxLength: MAX_TOPIC_LENGTH }),
  question: NotBlank,
  answer: NotBlank,
  incorrect: Type.Array(NotBlank, { minItems: 1, maxItems: MAX_DISTRACTORS }),
  incorrect_reasons: Type.Optional(
    Type.Array(OrNull(NotBlank), {
      maxItems: MAX_DISTRACTORS,
      description:
        'Why each wrong answer is wrong: as many as `incorrect`, in its order; null where there is no reason.',
    }),
  ),
  explanation: Type.Optional(Type.String({ maxLength: MAX_EXPLANATION_LENGTH })),
  source_url: Type.Optional(Type.String({ pattern: '^https?://', maxLength: MAX_TEXT_LENGTH })),
  source_title: Type.Optional(NotBlank),
  checked_at: Type.Optional(Day),
  valid_from: Type.Optional(Day),
  ages: Type.Optional(Year),
  group: Type.Optional(NotBlank),
  excludes: Type.Optional(
    Type.Array(NotBlank, {
      maxItems: MAX_EXCLUDED_GROUPS,
      description: 'Groups whose questions must not stand in the same test.',
    }),
  ),
  tags: Type.Optional(Type.Array(NotBlank, { maxItems: MAX_TAGS })),
  image: Type.Optional(ImageData),
  image_alt: Type.Optional(ImageAlt),
  areas: Type.Optional(Areas),
  uuid: Type.Optional(Type.String({ format: 'uuid' })),
});
export type QuestionRow = Static<typeof QuestionRow>;

export const ImportQuery = Closed({
  dry_run: Type.Optional(
    Type.Boolean({ description: 'Only check the file, and wait for `confirm`.' }),
  ),
  on_duplicate: Type.Optional(
    Type.Union([Type.Literal('skip'), Type.Literal('update')], {
      description:
        'What to do with a question that is in the bank: skip it (default) or update it.',
    }),
  ),
  file_name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
});

export const ImportHeaders = Type.Object({
  prefer: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        '`wait=N`: wait N seconds for the end of the import (default 20); or `respond-async`.',
    }),
  ),
  'idempotency-key': Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Becomes the id of the import: a repeated request does not import again.',
    }),
  ),
});

export const ImportParams = Closed({ id: Uuid });

/**
 * The search for near-duplicates after an import: `waiting` in the queue, `searching`, then
 * `done` or `cancelled`.
 */
const NEAR_DUPLICATE_STATES = ['waiting', 'searching', 'done', 'cancelled'] as const;
export const NearDuplicateProgress = Closed({
  state: Type.Enum(NEAR_DUPLICATE_STATES),
  checked: Type.Integer({ description: 'New questions checked so far.' }),
  total: Type.Integer({ description: 'New questions.' }),
  found: Type.Integer({ description: 'Pairs found, including those handled since.' }),
});
export type NearDuplicateProgress = Static<typeof NearDuplicateProgress>;

export const Import = Closed({
  id: Uuid,
  state: Type.Enum(IMPORT_STATES),
  dry_run: Type.Boolean(),
  on_duplicate: Type.Union([Type.Literal('skip'), Type.Literal('update')]),
  format: Type.Union([Type.Literal('json'), Type.Literal('csv')]),
  file_name: OrNull(Type.String()),
  imported_by: Type.String({ description: "The administrator's address." }),
  created_at: Timestamp,
  received_at: OrNull(Timestamp),
  ended_at: OrNull(Timestamp),
  bytes_total: OrNull(Type.Integer({ description: 'Null when the request did not state it.' })),
  bytes_received: Type.Integer(),
  bytes_done: Type.Integer({ description: 'Bytes whose rows are in the bank, visible or hidden.' }),
  rows: Type.Integer({ description: 'imported + updated + duplicates + rejected' }),
  imported: Type.Integer(),
  updated: Type.Integer(),
  duplicates: Type.Integer(),
  rejected: Type.Integer(),
  not_offered: Type.Array(
    Closed({
      language: Type.String(),
      questions: Type.Integer({ description: 'Imported or updated.' }),
    }),
    {
      description: 'Imported questions in languages that are not offered, by language, most first.',
    },
  ),
  refusal: OrNull(
    Closed({
      reason: Type.Enum(REFUSALS),
      row: OrNull(Type.Integer({ description: 'Counted from 1.' })),
      byte: OrNull(Type.Integer({ description: 'Counted from 0.' })),
    }),
  ),
  is_removed: Type.Boolean({
    description:
      'For an import that ended without questions: whether its rows are deleted already.',
  }),
  undone_by: OrNull(Type.String()),
  near_duplicates: Type.Union([NearDuplicateProgress, Type.Null()], {
    description: 'Null when there is nothing to search for.',
  }),
});
export type Import = Static<typeof Import>;

/** The response to the upload. The client of the specification reads `message` and `count`. */
export const ImportAnswer = Closed({
  message: Type.String(),
  count: Type.Integer({ description: 'Questions imported so far.' }),
  import_id: Uuid,
  import: Import,
});
export type ImportAnswer = Static<typeof ImportAnswer>;

export const ImportsQuery = Closed({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
});
export const ImportsResponse = Closed({
  imports: Type.Array(Import, { description: 'Newest first, 20 a page.' }),
  total: Type.Integer(),
  page: Type.Integer(),
});
export type ImportsResponse = Static<typeof ImportsResponse>;

/** `imported`: imported with a warning; rows without a warning are not listed. */
const OUTCOMES = ['rejected', 'duplicate', 'updated', 'imported'] as const;
/** `warned`: imported or updated, with a warning. */
const ROW_FILTERS = ['rejected', 'duplicate', 'updated', 'warned'] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

export const ImportRow = Closed({
  row: Type.Integer({ description: 'Counted from 1.' }),
  outcome: Type.Enum(OUTCOMES),
  faults: Type.Array(
    Closed({
      field: Type.String({ description: 'The path in the row; empty for the whole row.' }),
      reason: Type.Enum(ROW_FAULTS),
    }),
  ),
  warnings: Type.Array(
    Closed({
      field: Type.String(),
      reason: Type.Enum(ROW_WARNINGS),
      value: Type.String({ description: 'The value of the field: the language code.' }),
    }),
  ),
  question_id: OrNull(
    Type.Integer({ description: 'The existing question, for a duplicate or an update.' }),
  ),
});
export type ImportRow = Static<typeof ImportRow>;

export const ImportRowsQuery = Closed({
  outcome: Type.Optional(
    Type.Enum(ROW_FILTERS, {
      description: '`warned`: imported or updated rows with a warning.',
    }),
  ),
  after: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Rows after this one.' }),
  ),
});
export const ImportRowsResponse = Closed({
  rows: Type.Array(ImportRow, { description: 'In the order of the file, at most 50.' }),
  next_after: OrNull(
    Type.Integer({ description: 'The `after` of the next page; null on the last page.' }),
  ),
});
export type ImportRowsResponse = Static<typeof ImportRowsResponse>;

export const ImportFileParams = Closed({
  format: Type.Union([Type.Literal('json'), Type.Literal('csv')]),
});

export const NearDuplicatesQuery = Closed({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
});

const SimilarQuestion = Closed({
  id: Type.Integer(),
  question: Type.String(),
  answer: Type.String({ description: 'The key.' }),
  topic: Type.String(),
  validated: Type.Boolean(),
  import_id: Type.Union([Uuid, Type.Null()]),
});
export type SimilarQuestion = Static<typeof SimilarQuestion>;

/** Two very similar questions in the same language. */
export const NearDuplicate = Closed({
  language: Type.String(),
  similarity: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'The share of common trigrams in the two texts; at least 0.6.',
  }),
  question: SimilarQuestion,
  similar: SimilarQuestion,
});
export type NearDuplicate = Static<typeof NearDuplicate>;

export const NearDuplicatesResponse = Closed({
  pairs: Type.Array(NearDuplicate, {
    description: 'Most similar first, 20 a page. `question` is the one that was imported.',
  }),
  total: Type.Integer({ description: 'Pairs not handled yet, counted up to 10,000.' }),
  page: Type.Integer({ minimum: 1 }),
});
export type NearDuplicatesResponse = Static<typeof NearDuplicatesResponse>;

export const NearDuplicateParams = Closed({
  id: Uuid,
  question: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});

export const DismissNearDuplicateRequest = Closed({
  dismissed: Type.Boolean({ description: 'False undoes the dismissal.' }),
});
export type DismissNearDuplicateRequest = Static<typeof DismissNearDuplicateRequest>;
