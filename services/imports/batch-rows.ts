import type { QuestionRow } from '@proveklar/contract/question-row.ts';
import type { FindImage, StoredImage } from '#images/read-image.ts';
import {
  checkRow,
  normalizeTopic,
  readPicture,
  type RowFault,
  tidyReasons,
} from '#questions/question-row.ts';
import { cleanTexts, excerpt, optionRemarks, type RowRemark } from './clean-row.ts';
import { type BatchBuffers, type BatchRow, PackedRows } from './copy-rows.ts';
import type { CellKinds, FileRow, ReadFrom } from './file-rows.ts';
import type { TopicNames } from './topic-names.ts';

/** SQL: the rows of a batch, with their ids and numbers in the file, from the parameter $1 (`toRows`). */
export const ROWS = `json_to_recordset($1::json) as given (
  id bigint, row integer, language text, topic text, question text, answer text, incorrect text[],
  incorrect_reasons text[], explanation text, source_url text, source_title text, checked_at date,
  valid_from date, ages smallint, "group" text, excludes text[], tags text[],
  image_hash text, image_alt text, areas jsonb, uuid uuid)`;

/** What differs between a row and the question that has its text. */
export type Difference = 'answer' | 'options';

/** Consecutive rows in one language. */
export interface LanguageRun {
  language: string;
  first: number;
  last: number;
}

/** A row that is rejected, as the report has it. */
export interface BadRow {
  row: number;
  faults: ReportedFault[];
  /** The text of its question, shortened; null when it has none. */
  question: string | null;
  /** The row as it stands in the file: an object, or the cells of a table. Undefined when it was not kept. */
  source: unknown;
  /** What the cells of a workbook's row are, where they are not text. */
  kinds?: CellKinds | undefined;
}

export interface ReportedFault extends RowFault {
  /** The text of the field, shortened; null when it has none. */
  value: string | null;
}

/** Consecutive rows of a file, validated. */
export interface Batch {
  /** From 0. */
  number: number;
  /** The number of rows, good and bad. */
  size: number;
  /** Where the next batch begins in the file. */
  endByte: number;
  endLine: number;
  /** Bytes of a packed file that were read; otherwise `endByte` says so. */
  bytesRead?: number | null;
  /** The row before the first, and the line of each row; NaN when it is unknown. */
  before: number;
  lines: number[];
  good: PackedRows;
  /** The numbers of the good rows in the file, from 1. */
  goodRows: number[];
  bad: BadRow[];
  /** What was cleaned in good rows, or is doubtful in them, in order. */
  remarks: { row: number; remark: RowRemark }[];
  /** The languages of the good rows. */
  languages: LanguageRun[];
  /** The pictures of the good rows by their hashes. */
  images: Map<string, StoredImage>;
}

/** The good rows for `ROWS`, with the ids that they get. */
export function toRows({ good, goodRows }: Batch, ids: readonly number[] = []): string {
  const rows = goodRows.map((row, place) => ({ id: ids[place], row, ...good.at(place) }));
  return JSON.stringify(rows);
}

/** The line of a row of the batch; null when it is unknown. */
export const lineOf = ({ lines, before }: Batch, row: number) =>
  lineOrNull(lines[row - before - 1] ?? NaN);

export const lineOrNull = (line: number) => (Number.isNaN(line) ? null : line);

// All depend on the file alone, so that a second reading cuts the same batches.
const MAX_ROWS = 5_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_SHARED_BYTES = 16 * 1024 * 1024;

interface BatchOptions {
  /** Finds a picture that the bank has already. */
  find?: FindImage;
  /** The topics of the bank, by whose spelling those of the file are corrected. */
  topics?: TopicNames;
  /** Of batches that are freed once they are inserted. */
  buffers?: BatchBuffers;
}

/** Cleans and validates rows, and groups them into batches. */
export async function* batchRows(
  pieces: AsyncIterable<FileRow[]>,
  from: ReadFrom & { batch: number },
  { find, topics, buffers }: BatchOptions = {},
): AsyncGenerator<Batch> {
  let row = from.rows;
  let startByte = from.byte;
  const begin = (number: number): Batch => ({
    number,
    size: 0,
    endByte: startByte,
    endLine: from.line,
    before: row,
    lines: [],
    good: new PackedRows(buffers),
    goodRows: [],
    bad: [],
    remarks: [],
    languages: [],
    images: new Map(),
  });
  let batch = begin(from.batch);
  let sharedBytes = 0;
  for await (const piece of pieces) {
    for (const read of piece) {
      row += 1;
      const checked = checkFileRow(read);
      // Awaited only where there is a picture: most rows have none, and there may be millions.
      const picture =
        'row' in checked && checked.row.image ? await readPicture(checked.row, find) : null;
      if ('faults' in checked) batch.bad.push(toBadRow(read, row, checked.faults));
      else if (picture && 'faults' in picture) batch.bad.push(toBadRow(read, row, picture.faults));
      else addGoodRow(batch, row, checked, { picture: picture?.image ?? null, topics });
      batch.lines.push(read.line);
      batch.size += 1;
      batch.endByte = read.end;
      batch.endLine = read.endLine;
      sharedBytes += read.sharedBytes ?? 0;
      const isFull =
        batch.size >= MAX_ROWS ||
        batch.endByte - startByte >= MAX_BYTES ||
        sharedBytes >= MAX_SHARED_BYTES;
      if (isFull) {
        yield batch;
        startByte = batch.endByte;
        sharedBytes = 0;
        batch = begin(batch.number + 1);
      }
    }
  }
  if (batch.size > 0) yield batch;
}

type CheckedRow = { row: QuestionRow; remarks: RowRemark[] } | { faults: RowFault[] };

function checkFileRow(read: FileRow): CheckedRow {
  if (read.fault !== undefined) return { faults: [{ field: '', reason: read.fault }] };
  const { row, remarks } = cleanTexts(read.value);
  const checked = checkRow(row);
  return 'faults' in checked ? checked : { row: checked.row, remarks };
}

/** Of one row; a hostile one could have many more. */
const MAX_REMARKS = 10;

function addGoodRow(
  batch: Batch,
  row: number,
  { row: valid, remarks }: { row: QuestionRow; remarks: RowRemark[] },
  { picture, topics }: { picture: StoredImage | null; topics: TopicNames | undefined },
): void {
  const tidy = tidyNameOf(valid.topic);
  const topic = topics?.spell(tidy) ?? tidy;
  if (picture) batch.images.set(picture.hash, picture);
  batch.good.push(toBatchRow(valid, topic, picture));
  batch.goodRows.push(row);
  addToRuns(batch.languages, row, valid.language);
  const all = [...remarks, ...optionRemarks(valid)];
  if (topic !== tidy) {
    all.push({ field: 'topic', reason: 'topic_case', value: excerpt(tidy), cleaned: true });
  }
  for (const remark of all.slice(0, MAX_REMARKS)) batch.remarks.push({ row, remark });
}

/** A valid row in the form in which it is stored. */
function toBatchRow(valid: QuestionRow, topic: string, picture: StoredImage | null): BatchRow {
  const { question, incorrect_reasons, image: _image, rejected_because: _because, ...rest } = valid;
  const reasons = tidyReasons(incorrect_reasons);
  return {
    ...rest,
    topic,
    question: question.trim(),
    ...(reasons && { incorrect_reasons: reasons }),
    ...(picture && { image_hash: picture.hash }),
  };
}

function toBadRow(read: FileRow, row: number, faults: readonly RowFault[]): BadRow {
  const { value } = read;
  const question = textAt(value, 'question');
  return {
    row,
    faults: faults.map((fault) => ({ ...fault, value: valueAt(value, fault.field) })),
    question: question && excerpt(question),
    source: read.cells ?? value,
    kinds: read.kinds,
  };
}

function valueAt(row: unknown, field: string): string | null {
  if (field === '') return null;
  const text = textAt(row, field);
  // A picture is no text to read.
  return text === null || field.startsWith('image.') || field === 'image' ? null : excerpt(text);
}

/** The text at a path such as `incorrect.1`; null when there is none. */
function textAt(row: unknown, path: string): string | null {
  let value = row;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

// A cache: a file has few topics and many rows.
const tidyNames = new Map<string, string>();
const MAX_TIDY_NAMES = 10_000;

function tidyNameOf(topic: string): string {
  const known = tidyNames.get(topic);
  if (known !== undefined) return known;
  if (tidyNames.size >= MAX_TIDY_NAMES) tidyNames.clear();
  const name = normalizeTopic(topic);
  tidyNames.set(topic, name);
  return name;
}

/** Extends the last run, or begins a new one. */
export function addToRuns(runs: LanguageRun[], row: number, language: string): void {
  const last = runs.at(-1);
  if (last?.language === language && last.last === row - 1) last.last = row;
  else runs.push({ language, first: row, last: row });
}
