import type { QuestionRow } from '@proveklar/contract/imports.ts';
import type { Transaction } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';
import { storeImages } from '#images/images.ts';
import type { FindImage, StoredImage } from '#images/read-image.ts';
import {
  checkRow,
  normalizeTopic,
  readPicture,
  type RowFault,
  tidyReasons,
} from '#questions/question-row.ts';
import { ImportEnded, READING } from './end-import.ts';
import type { FileRow, ReadFrom } from './file-rows.ts';

/** A valid row, as it is sent to the database. */
interface BatchRow extends Omit<QuestionRow, 'image'> {
  /** Its number in the file, from 1. */
  row: number;
  uuid: string;
  image_hash?: string;
}

/** Consecutive rows in one language. */
interface LanguageRun {
  language: string;
  first: number;
  last: number;
}

/** Consecutive rows of a file, validated. */
export interface Batch {
  /** From 0. */
  number: number;
  /** The number of rows, good and bad. */
  size: number;
  /** Where the next batch begins in the file. */
  endByte: number;
  /**
   * Rows as JSON (BatchRow). A string is freed by the young generation of the garbage collector; a
   * thousand objects would be promoted to the old one.
   */
  good: string[];
  bad: { row: number; faults: RowFault[] }[];
  /** The languages of the good rows. */
  languages: LanguageRun[];
  /** The pictures of the good rows by their hashes. */
  images: Map<string, StoredImage>;
}

/** The stored outcome of a row that was not simply inserted. */
type ReportEntry =
  | { row: number; outcome: 'rejected'; faults: RowFault[] }
  | { row: number; outcome: 'duplicate' | 'updated'; question_id: number | null };

export interface ImportTarget {
  id: string;
  on_duplicate: 'skip' | 'update';
}

const ROWS = `json_to_recordset($1::json) as given (
  row integer, language text, topic text, question text, answer text, incorrect text[],
  incorrect_reasons text[], explanation text, source_url text, source_title text, checked_at date,
  valid_from date, ages smallint, "group" text, excludes text[], tags text[],
  image_hash text, image_alt text, areas jsonb, uuid uuid)`;

const INSERT = `
  insert into question
    (language, topic, question, answer, incorrect, incorrect_reasons, explanation, source_url,
     source_title, checked_at, valid_from, ages, translation_group, excludes, tags, image_hash,
     image_alt, areas, uuid, import_id)
  select language, topic, question, answer, incorrect, incorrect_reasons, explanation, source_url,
         source_title, checked_at, valid_from, ages, "group", coalesce(excludes, '{}'),
         coalesce(tags, '{}'), image_hash, image_alt, areas, uuid, $2
  from ${ROWS}
  -- The same text in the same language; also a uuid that the bank has: an export that comes back.
  on conflict do nothing`;

// The rows that were not inserted, and the question that the bank has instead: by its uuid, else by its text.
const LEFT_OUT = `
  select given.row, coalesce(by_uuid.id, by_text.id) as question_id
  from (
    select given.*, question_text_key(question) as text_key,
           row_number() over (
             partition by uuid, language, question_text_key(question) order by row) as turn
    from ${ROWS}) given
  left join question by_uuid on by_uuid.uuid = given.uuid
  left join question by_text on by_text.language = given.language
    and by_text.text_key = given.text_key and by_text.retired_at is null
  where by_uuid.id is null or by_uuid.import_id is distinct from $2
    or (by_uuid.language, by_uuid.text_key) <> (given.language, given.text_key)
    or by_uuid.xmin <> pg_current_xact_id()::xid or given.turn > 1
  order by given.row`;

// Notes updates of questions that existed before this import and differ from their row. Leaves out an
// update that would give a question the text of another one.
const NOTE_UPDATES = `
  insert into import_update (import_id, question_id, row)
  select distinct on (present.id) $2, present.id, to_jsonb(given) - 'row' - 'uuid'
  from ${ROWS}
  join unnest($3::integer[], $4::bigint[]) as left_out (row, question_id)
    on left_out.row = given.row
  join question present on present.id = left_out.question_id
  where present.import_id is distinct from $2 and present.retired_at is null
    and (present.language, present.topic, present.question, present.answer, present.incorrect,
         present.incorrect_reasons, present.explanation, present.source_url, present.source_title,
         present.checked_at, present.valid_from, present.ages, present.translation_group,
         present.excludes, present.tags, present.image_hash, present.image_alt, present.areas)
      is distinct from
        (given.language, given.topic, given.question, given.answer, given.incorrect,
         given.incorrect_reasons, given.explanation, given.source_url, given.source_title,
         given.checked_at, given.valid_from, given.ages, given."group",
         coalesce(given.excludes, '{}'), coalesce(given.tags, '{}'), given.image_hash,
         given.image_alt, given.areas)
    and not exists (
      select from question other
      where other.language = given.language and other.retired_at is null
        and other.text_key = question_text_key(given.question) and other.id <> present.id)
  order by present.id, given.row
  on conflict do nothing
  returning question_id`;

/**
 * Inserts a batch into the question bank, hidden, and records it in `import_batch`. Both happen exactly
 * once, in one transaction.
 *
 * @throws ImportEnded when the import is no longer being read
 */
export async function insertBatch(
  tx: Transaction,
  target: ImportTarget,
  batch: Batch,
): Promise<void> {
  // `import_batch` first: of two workers with the same batch, the second finds its row there.
  const { rowCount: isNew } = await tx.query(
    `insert into import_batch (import_id, number, rows, end_byte, imported, updated, duplicates, rejected)
     values ($1, $2, $3, $4, 0, 0, 0, $5) on conflict do nothing`,
    [target.id, batch.number, batch.size, batch.endByte, batch.bad.length],
  );
  if (!isNew) return;
  const { imported, report } = await insertRows(tx, target, batch);
  const updated = report.filter((entry) => entry.outcome === 'updated').length;
  const duplicates = batch.good.length - imported - updated;
  const { runs, counts } = await findNotOffered(tx, batch, report);
  await tx.query(
    `update import_batch
     set imported = $3, updated = $4, duplicates = $5, report = $6, not_offered = $7
     where import_id = $1 and number = $2`,
    [
      target.id,
      batch.number,
      imported,
      updated,
      duplicates,
      JSON.stringify(report),
      JSON.stringify(runs),
    ],
  );
  // Last, because it locks the row that the other batches wait for. Its condition checks that the import is
  // still being read.
  const { rowCount: isReading } = await tx.query(
    `update question_import
     set imported = imported + $2, updated = updated + $3, duplicates = duplicates + $4,
         rejected = rejected + $5, bytes_done = greatest(bytes_done, $6), attempts = 0,
         not_offered = (
           select coalesce(jsonb_object_agg(language, questions), '{}')
           from (
             select key as language, sum(value::int) as questions
             from (select * from jsonb_each_text(not_offered)
                   union all select * from jsonb_each_text($8)) counted
             group by key) summed)
     where id = $1 and state = any ($7)`,
    [
      target.id,
      imported,
      updated,
      duplicates,
      batch.bad.length,
      batch.endByte,
      READING,
      JSON.stringify(counts),
    ],
  );
  if (!isReading) throw new ImportEnded();
}

async function insertRows(
  tx: Transaction,
  target: ImportTarget,
  { good, bad, images }: Batch,
): Promise<{ imported: number; report: ReportEntry[] }> {
  const report: ReportEntry[] = bad.map((entry) => ({ ...entry, outcome: 'rejected' }));
  if (good.length === 0) return { imported: 0, report };
  await storeImages(tx, images.values());
  const rows = `[${good.join(',')}]`;
  const { rowCount } = await tx.query({
    name: 'insert-batch',
    text: INSERT,
    values: [rows, target.id],
  });
  const imported = rowCount ?? 0;
  if (imported === good.length) return { imported, report };
  const { rows: leftOut } = await tx.query<{ row: number; question_id: number | null }>(LEFT_OUT, [
    rows,
    target.id,
  ]);
  const updates = await noteUpdates(tx, target, rows, leftOut);
  for (const { row, question_id } of leftOut) {
    // Of several rows for one question, the first updates it.
    const outcome = question_id !== null && updates.delete(question_id) ? 'updated' : 'duplicate';
    report.push({ row, outcome, question_id });
  }
  return { imported, report: report.toSorted((a, b) => a.row - b.row) };
}

async function noteUpdates(
  tx: Transaction,
  { id, on_duplicate }: ImportTarget,
  rows: string,
  leftOut: { row: number; question_id: number | null }[],
): Promise<Set<number>> {
  if (on_duplicate === 'skip') return new Set();
  const { rows: noted } = await tx.query<{ question_id: number }>(NOTE_UPDATES, [
    rows,
    id,
    leftOut.map((entry) => entry.row),
    leftOut.map((entry) => entry.question_id),
  ]);
  return new Set(noted.map((entry) => entry.question_id));
}

/**
 * Finds the inserted rows of a batch whose language is not offered to learners, and counts them by
 * language. Duplicates were not inserted.
 */
async function findNotOffered(
  tx: Transaction,
  { languages }: Batch,
  report: readonly ReportEntry[],
): Promise<{ runs: LanguageRun[]; counts: Record<string, number> }> {
  const codes = new Set(languages.map(({ language }) => language));
  const { rows } = await tx.query<{ code: string }>({
    name: 'find-not-offered',
    text: `select code from unnest($1::text[]) as given (code) where not ${isOffered('given.code')}`,
    values: [[...codes]],
  });
  if (rows.length === 0) return { runs: [], counts: {} };
  const notOffered = new Set(rows.map(({ code }) => code));
  const duplicates = new Set(
    report.filter(({ outcome }) => outcome === 'duplicate').map(({ row }) => row),
  );
  const runs: LanguageRun[] = [];
  const counts: Record<string, number> = {};
  for (const { language, first, last } of languages) {
    if (!notOffered.has(language)) continue;
    for (let row = first; row <= last; row += 1) {
      if (duplicates.has(row)) continue;
      addToRuns(runs, row, language);
      counts[language] = (counts[language] ?? 0) + 1;
    }
  }
  return { runs, counts };
}

// Both depend on the file alone, so that a second reading cuts the same batches.
const MAX_ROWS = 5_000;
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Validates rows and groups them into batches.
 *
 * @param find finds a picture that the bank has already
 */
export async function* batchRows(
  pieces: AsyncIterable<FileRow[]>,
  from: ReadFrom & { batch: number },
  find?: FindImage,
): AsyncGenerator<Batch> {
  let row = from.rows;
  let startByte = from.byte;
  const begin = (number: number): Batch => ({
    number,
    size: 0,
    endByte: startByte,
    good: [],
    bad: [],
    languages: [],
    images: new Map(),
  });
  let batch = begin(from.batch);
  for await (const piece of pieces) {
    for (const read of piece) {
      row += 1;
      // Awaited only where there is a picture: most rows have none, and there may be millions.
      const valid = checkFileRow(read);
      const picture = 'row' in valid && valid.row.image ? await readPicture(valid.row, find) : null;
      if ('faults' in valid) batch.bad.push({ row, faults: valid.faults });
      else if (picture && 'faults' in picture) batch.bad.push({ row, faults: picture.faults });
      else {
        const image = picture?.image;
        if (image) batch.images.set(image.hash, image);
        batch.good.push(toBatchRow(valid.row, row, image));
        addToRuns(batch.languages, row, valid.row.language);
      }
      batch.size += 1;
      batch.endByte = read.end;
      if (batch.size >= MAX_ROWS || batch.endByte - startByte >= MAX_BYTES) {
        yield batch;
        startByte = batch.endByte;
        batch = begin(batch.number + 1);
      }
    }
  }
  if (batch.size > 0) yield batch;
}

function checkFileRow(read: FileRow): ReturnType<typeof checkRow> {
  if (read.fault === undefined) return checkRow(read.value);
  return { faults: [{ field: '', reason: read.fault }] };
}

/** A valid row in the form in which it is stored: JSON of a `BatchRow`. */
function toBatchRow(valid: QuestionRow, row: number, picture?: StoredImage | null): string {
  const { topic, question, uuid, incorrect_reasons, image: _image, ...rest } = valid;
  const reasons = tidyReasons(incorrect_reasons);
  const stored: BatchRow = {
    ...rest,
    row,
    topic: tidyNameOf(topic),
    question: question.trim(),
    ...(reasons && { incorrect_reasons: reasons }),
    ...(picture && { image_hash: picture.hash }),
    uuid: uuid ?? crypto.randomUUID(),
  };
  return JSON.stringify(stored);
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
function addToRuns(runs: LanguageRun[], row: number, language: string): void {
  const last = runs.at(-1);
  if (last?.language === language && last.last === row - 1) last.last = row;
  else runs.push({ language, first: row, last: row });
}
