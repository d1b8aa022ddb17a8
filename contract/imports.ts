import { type Static, Type } from 'typebox';
import { Closed, OrNull, Timestamp, Uuid } from './common.ts';
import { languages } from './language.ts';
import { MAX_FILE_BYTES, MAX_TEXT_LENGTH } from './limits.ts';
import { NearDuplicateProgress } from './near-duplicates.ts';
import { RowFault } from './question-row.ts';

// Imports of questions: the upload, its preview, the progress of an import, and its report. Over 400 lines, because
// they are one resource.

/**
 * - `receiving`: the file is being uploaded, and read meanwhile; `processing`: the upload is complete
 * - `paused`: the upload was interrupted, and can be resumed
 * - `checked`: a dry run is complete; its rows are hidden until `confirm` or `discard`
 * - `completed`: its questions are in the bank
 * - `refused` (the file), `cancelled`, `discarded`, `failed` (on our side): nothing is in the bank
 * - `undoing`, `undone`: undone after it had completed
 */
export const IMPORT_STATES = [
  'receiving',
  'processing',
  'paused',
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
 * - `not_csv`: a quote is not closed, a line has more cells than the header, or the header more than 200
 * - `not_gzip`: it is packed with gzip, and damaged
 * - `unpacked_too_large`, `unpacked_ratio`: unpacked, it is larger than 1 GB, or than 200 times the packed file
 * - `not_xlsx`: it is no Excel workbook, or damaged
 * - `xlsx_too_large`: the workbook is larger than 50 MB, or than 500 MB unpacked
 * - `xlsx_encrypted`: the workbook has a password
 * - `xls`: it is an Excel file of before 2007, or another OLE file
 * - `no_such_sheet`: the workbook has no sheet of the chosen name
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
  'not_gzip',
  'unpacked_too_large',
  'unpacked_ratio',
  'not_xlsx',
  'xlsx_too_large',
  'xlsx_encrypted',
  'xls',
  'no_such_sheet',
] as const;
export type RefusalReason = (typeof REFUSALS)[number];

/**
 * Warnings about an imported row.
 *
 * - `language_not_offered`: learners are not offered its language
 * - `mojibake`: letters were read in the wrong encoding, or lost (`�`)
 * - `markup`: HTML tags or entities
 * - `invisible`: characters that no reader sees
 * - `one_wrong_answer`: a practice test shows three options
 * - `options_case`: two options are equal but for capital letters, spaces or a full stop
 * - `topic_case`: the topic differs from another one in capital letters only
 */
const ROW_WARNINGS = [
  'language_not_offered',
  'mojibake',
  'markup',
  'invisible',
  'one_wrong_answer',
  'options_case',
  'topic_case',
] as const;
export type RowWarningReason = (typeof ROW_WARNINGS)[number];

export const ImportQuery = Closed({
  columns: Type.Optional(
    Type.String({
      maxLength: 4000,
      description:
        'For a table: the fields of its columns in order, separated by commas, in place of its headings. An empty one is not read.',
    }),
  ),
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
  sheet: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The sheet of a workbook; by default the first that is not hidden.',
    }),
  ),
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

/** What was recognised in a table. */
const ImportColumns = Closed({
  headings: Type.Array(Type.String(), { description: 'As they stand in the first line.' }),
  fields: Type.Array(OrNull(Type.String()), {
    description: 'The field of each column; null for one that is not read.',
  }),
  delimiter: Type.String({ description: 'Empty for a workbook.' }),
  encoding: Type.Enum(['utf-8', 'windows-1252']),
});

/** What a file is. Each may be packed with gzip, but a workbook. */
const IMPORT_FORMATS = ['json', 'csv', 'xlsx'] as const;

export const Import = Closed({
  id: Uuid,
  state: Type.Enum(IMPORT_STATES),
  dry_run: Type.Boolean(),
  on_duplicate: Type.Union([Type.Literal('skip'), Type.Literal('update')]),
  format: Type.Enum(IMPORT_FORMATS),
  file_name: OrNull(Type.String()),
  imported_by: Type.String({ description: "The administrator's address." }),
  created_at: Timestamp,
  received_at: OrNull(Timestamp),
  ended_at: OrNull(Timestamp),
  read_at: OrNull(
    Timestamp,
    'When the whole file had been read; it stays when a dry run is confirmed.',
  ),
  bytes_total: OrNull(Type.Integer({ description: 'Null when the request did not state it.' })),
  bytes_received: Type.Integer(),
  bytes_done: Type.Integer({ description: 'Bytes whose rows are in the bank, visible or hidden.' }),
  rows: Type.Integer({ description: 'imported + updated + duplicates + rejected' }),
  imported: Type.Integer(),
  updated: Type.Integer(),
  duplicates: Type.Integer(),
  rejected: Type.Integer(),
  repeated: Type.Integer({
    description: 'Of the duplicates: equal to an earlier row of the file.',
  }),
  differing: Type.Integer({
    description: 'Of the duplicates: the same text with another answer or other options.',
  }),
  warned: Type.Integer({ description: 'Imported or updated rows with a warning.' }),
  cleaned: Type.Integer({ description: 'Of these: rows of which a text was cleaned.' }),
  columns: OrNull(ImportColumns),
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
      line: OrNull(Type.Integer({ description: 'Counted from 1, as `column`.' })),
      column: OrNull(Type.Integer({ description: 'In characters.' })),
      excerpt: OrNull(Type.String({ description: 'What stands around the fault.' })),
      missing: Type.Array(Type.String(), {
        description: 'For `csv_header`: required columns that were not found.',
      }),
      unknown: Type.Array(Type.String(), {
        description: 'For `csv_header`: headings that are no column, or repeat one.',
      }),
    }),
  ),
  is_removed: Type.Boolean({
    description:
      'For an import that ended without questions: whether its rows are deleted already.',
  }),
  undone_by: OrNull(Type.String()),
  resumable_until: OrNull(
    Timestamp,
    'For an upload in parts: until when it can be resumed, unless more of the file arrives.',
  ),
  is_report_deleted: Type.Boolean({
    description: 'Whether its report was deleted, 90 days after its end; the counts stay.',
  }),
  near_duplicates: Type.Union([NearDuplicateProgress, Type.Null()], {
    description: 'Null when there is nothing to search for.',
  }),
});
export type Import = Static<typeof Import>;

export const ImportPreviewQuery = Closed({
  columns: ImportQuery.properties.columns,
  sheet: ImportQuery.properties.sheet,
});

/** Begins an import whose file is sent in parts. */
export const BeginUploadRequest = Closed({
  format: Type.Enum(IMPORT_FORMATS),
  bytes: Type.Integer({
    minimum: 1,
    maximum: MAX_FILE_BYTES,
    description: 'The size of the whole file.',
  }),
  file_name: Type.String({ minLength: 1, maxLength: 255 }),
  dry_run: ImportQuery.properties.dry_run,
  on_duplicate: ImportQuery.properties.on_duplicate,
  columns: ImportQuery.properties.columns,
  sheet: ImportQuery.properties.sheet,
});
export type BeginUploadRequest = Static<typeof BeginUploadRequest>;

export const BeginUploadHeaders = Type.Object({
  'idempotency-key': ImportHeaders.properties['idempotency-key'],
});

export const UploadPartHeaders = Type.Object({
  'upload-offset': Type.Integer({
    minimum: 0,
    maximum: MAX_FILE_BYTES,
    description: 'Where the part begins in the file: `bytes_received` of the import.',
  }),
  'upload-checksum': Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      description:
        'Of what was sent before, required unless the offset is 0: SHA-256 of the SHA-256 digests of its chunks of ' +
        '262,144 bytes, in hexadecimal.',
    }),
  ),
});

/** How a file would be read. */
export const ImportPreview = Closed({
  columns: OrNull(ImportColumns, 'Null for JSON.'),
  fields: Type.Array(Type.String(), { description: 'The fields that a column can be.' }),
  missing: Type.Array(Type.String(), { description: 'Required fields that no column is.' }),
  sheets: Type.Array(Type.String(), { description: 'The sheets of a workbook.' }),
  rows: Type.Array(
    Closed({
      row: Type.Integer(),
      language: OrNull(Type.String()),
      topic: OrNull(Type.String()),
      question: OrNull(Type.String()),
      answer: OrNull(Type.String()),
      incorrect: Type.Array(Type.String()),
      faults: Type.Array(RowFault),
    }),
    { description: 'The first five.' },
  ),
});
export type ImportPreview = Static<typeof ImportPreview>;

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
/**
 * - `warned`: imported or updated, with a warning
 * - `differing`: duplicates with another answer or other options
 * - `repeated`, `known`: other duplicates, of an earlier row of the file or of a question in the bank
 */
const ROW_FILTERS = [
  'rejected',
  'differing',
  'warned',
  'repeated',
  'known',
  'duplicate',
  'updated',
] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

const Options = Closed({ answer: Type.String(), incorrect: Type.Array(Type.String()) });

export const ImportRow = Closed({
  row: Type.Integer({ description: 'Counted from 1.' }),
  line: OrNull(Type.Integer({ description: 'Where the row begins in the file, counted from 1.' })),
  outcome: Type.Enum(OUTCOMES),
  question: OrNull(Type.String({ description: 'The text of its question, shortened.' })),
  faults: Type.Array(RowFault),
  warnings: Type.Array(
    Closed({
      field: Type.String(),
      reason: Type.Enum(ROW_WARNINGS),
      value: OrNull(Type.String({ description: 'The text as it stands in the file, shortened.' })),
      cleaned: Type.Boolean({ description: 'The text was corrected.' }),
    }),
  ),
  question_id: OrNull(
    Type.Integer({ description: 'The question in the bank; null when it is not there.' }),
  ),
  repeats: OrNull(Type.Integer({ description: 'The earlier row of the file that it repeats.' })),
  differs: OrNull(
    Closed({
      in: Type.Enum(['answer', 'options']),
      row: OrNull(Options, 'The options of the row.'),
      known: OrNull(Options, 'The options of the question in the bank, or of the earlier row.'),
    }),
    'A duplicate with another answer or other options.',
  ),
});
export type ImportRow = Static<typeof ImportRow>;

export const ImportRowsQuery = Closed({
  outcome: Type.Optional(
    Type.Enum(ROW_FILTERS, {
      description:
        '`warned`: imported or updated rows with a warning. `differing`: duplicates with another answer or other ' +
        'options. `repeated` and `known`: other duplicates, of an earlier row of the file or of the bank.',
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

export const ImportRowParams = Closed({
  id: Uuid,
  row: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

/** What becomes of a row that has the text of another question, and other answers. */
export const DecideRowRequest = Closed({
  action: Type.Enum(['update', 'add'], {
    description:
      '`update`: the other question gets the content of the row. `add`: the row is added, with another text.',
  }),
  question: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TEXT_LENGTH,
      description: 'The text of the row; required for `add`.',
    }),
  ),
});
export type DecideRowRequest = Static<typeof DecideRowRequest>;

/** What undoing an import would delete beside its questions. */
export const ImportEditsResponse = Closed({
  edited: Type.Integer({
    description:
      'Questions that the import added and that were edited since; undoing deletes the edits.',
  }),
});
export type ImportEditsResponse = Static<typeof ImportEditsResponse>;

export const ImportReportQuery = Closed({
  lng: Type.Optional(Type.Enum(languages, { description: 'The language of the reasons.' })),
});

export const ImportFileParams = Closed({
  format: Type.Union([Type.Literal('json'), Type.Literal('csv')]),
});
