import { stringify } from 'csv-stringify/sync';
import type { ImportRow, RowFilter } from '@proveklar/contract/imports.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import { BYTE_ORDER_MARK, EXCEL_CSV, guardCell } from '#csv/csv.ts';
import type { Queryable } from '#database/pool.ts';
import { cellOf, type CsvRow } from '#questions/csv-format.ts';
import type { LanguageRun } from './batch-rows.ts';
import { excerpt } from './clean-row.ts';
import type { Columns } from './columns.ts';
import type { KeptRow, ReportEntry, WarningRun } from './insert-batch.ts';
import { readImport } from './read-imports.ts';
import type { IdRun } from './repeated-rows.ts';
import { differenceText, faultText, warningText } from './row-texts.ts';

/** The outcome of a row that was not simply inserted, or that has a warning. */
export type ReportedRow = ImportRow;

interface ReportQuery {
  outcome?: RowFilter | undefined;
  /** Rows after this one. */
  after: number;
  limit: number;
}

interface StoredBatch {
  number: number;
  end_line: number | null;
  report: ReportEntry[];
  warnings: WarningRun[];
  not_offered: LanguageRun[];
  ids: IdRun[];
  kept_rows: string | null;
}

/** A row of the report before its question is read. */
interface FoundRow extends Omit<ReportedRow, 'differs'> {
  differs: 'answer' | 'options' | null;
}

/** Batches that are unpacked at a time; each has at most 5,000 rows. */
const BATCHES_AT_A_TIME = 4;

/** SQL: batches that may have such rows. Others are not unpacked. */
const MAY_HAVE: Record<RowFilter, string> = {
  rejected: 'rejected > 0',
  duplicate: 'duplicates > 0',
  differing: 'kept_rows is not null and duplicates > 0',
  repeated: 'duplicates > 0',
  known: 'duplicates > 0',
  updated: 'updated > 0',
  warned: `(warnings <> '[]' or not_offered <> '[]')`,
};

const IS: Record<RowFilter, (row: FoundRow) => boolean> = {
  rejected: ({ outcome }) => outcome === 'rejected',
  duplicate: ({ outcome }) => outcome === 'duplicate',
  differing: ({ outcome, differs }) => outcome === 'duplicate' && differs !== null,
  repeated: (row) => isPlainDuplicate(row) && row.repeats !== null,
  known: (row) => isPlainDuplicate(row) && row.repeats === null,
  updated: ({ outcome }) => outcome === 'updated',
  warned: ({ warnings }) => warnings.length > 0,
};

const isPlainDuplicate = ({ outcome, differs }: FoundRow) =>
  outcome === 'duplicate' && differs === null;

/**
 * Reads a page of an import's report, in the order of the file.
 *
 * @throws AppError `import_not_found`
 */
export async function readReport(
  db: Queryable,
  importId: string,
  { outcome, after, limit }: ReportQuery,
): Promise<ReportedRow[]> {
  const rows: FoundRow[] = [];
  const given = new Map<number, Given>();
  let number = -1;
  while (rows.length < limit) {
    const batches = await readBatches(db, importId, { outcome, after, behind: number });
    for (const batch of batches) {
      number = batch.number;
      const found = unpack(batch).filter(
        (row) => row.row > after && (outcome === undefined || IS[outcome](row)),
      );
      rows.push(...found.slice(0, limit - rows.length));
      if (found.some(({ differs }) => differs !== null)) addGiven(given, batch);
    }
    if (batches.length < BATCHES_AT_A_TIME) break;
  }
  if (rows.length === 0) await readImport(db, importId);
  return withQuestions(db, rows, given);
}

async function readBatches(
  db: Queryable,
  importId: string,
  { outcome, after, behind }: { outcome: RowFilter | undefined; after: number; behind: number },
): Promise<StoredBatch[]> {
  const { rows } = await db.query<StoredBatch>(
    `select number, end_line, report, warnings, not_offered, ids,
            case when duplicates > 0 then kept_rows end as kept_rows
     from (select *, sum(rows) over (order by number) as last_row
           from import_batch where import_id = $1) batch
     where last_row > $2 and number > $3 ${outcome ? `and ${MAY_HAVE[outcome]}` : ''}
     order by number limit ${BATCHES_AT_A_TIME}`,
    [importId, after, behind],
  );
  return rows;
}

function unpack(batch: StoredBatch): FoundRow[] {
  const rows = new Map<number, FoundRow>();
  for (const entry of batch.report) rows.set(entry.row, fromEntry(entry));
  for (const { row, count, line, step, ...warning } of batch.warnings) {
    for (let place = 0; place < count; place += 1) {
      const at = line === null ? null : line + place * step;
      addWarning(rows, batch, { row: row + place, line: at, warning });
    }
  }
  // The version before stored the languages alone.
  if (batch.end_line === null) {
    for (const { language, first, last } of batch.not_offered) {
      const reason = 'language_not_offered' as const;
      const warning = { field: 'language', reason, value: language, cleaned: false };
      for (let row = first; row <= last; row += 1)
        addWarning(rows, batch, { row, line: null, warning });
    }
  }
  return [...rows.values()].toSorted((a, b) => a.row - b.row);
}

function fromEntry(entry: ReportEntry): FoundRow {
  const common = {
    row: entry.row,
    line: entry.line ?? null,
    outcome: entry.outcome,
    warnings: [],
  };
  if (entry.outcome === 'rejected') {
    return {
      ...common,
      question: entry.question ?? null,
      // The version before stored no values.
      faults: entry.faults.map((fault) => ({ ...fault, value: fault.value ?? null })),
      question_id: null,
      repeats: null,
      differs: null,
    };
  }
  return {
    ...common,
    question: null,
    faults: [],
    question_id: entry.question_id,
    repeats: entry.repeats ?? null,
    differs: entry.differs ?? null,
  };
}

function addWarning(
  rows: Map<number, FoundRow>,
  { ids }: StoredBatch,
  {
    row,
    line,
    warning,
  }: Pick<FoundRow, 'row' | 'line'> & { warning: FoundRow['warnings'][number] },
): void {
  const known = rows.get(row);
  // An earlier row of the file took its place afterwards.
  if (known && known.outcome !== 'imported' && known.outcome !== 'updated') return;
  if (known) {
    known.warnings.push(warning);
    return;
  }
  const run = ids.find((some) => row >= some.row && row < some.row + some.count);
  rows.set(row, {
    row,
    line,
    outcome: 'imported',
    question: null,
    faults: [],
    warnings: [warning],
    question_id: run ? run.id + row - run.row : null,
    repeats: null,
    differs: null,
  });
}

/** The options of a row. */
interface Given {
  answer: string;
  incorrect: string[];
}

function addGiven(given: Map<number, Given>, { kept_rows: kept }: StoredBatch): void {
  for (const { row, source } of keptRowsOf(kept)) {
    const { answer, incorrect } = (source ?? {}) as Partial<Given>;
    if (typeof answer === 'string' && Array.isArray(incorrect))
      given.set(row, { answer, incorrect });
  }
}

const keptRowsOf = (kept: string | null) => (kept === null ? [] : (JSON.parse(kept) as KeptRow[]));

/** Adds the texts of questions, as they are in the bank now. */
async function withQuestions(
  db: Queryable,
  rows: readonly FoundRow[],
  given: ReadonlyMap<number, Given>,
): Promise<ReportedRow[]> {
  const ids = rows.flatMap(({ question_id: id }) => (id === null ? [] : [id]));
  const { rows: questions } =
    ids.length === 0
      ? { rows: [] }
      : await db.query<Given & { id: number; question: string }>(
          'select id, question, answer, incorrect from question where id = any ($1)',
          [ids],
        );
  const byId = new Map(questions.map((question) => [question.id, question]));
  return rows.map(({ differs, ...row }) => {
    const known = row.question_id === null ? undefined : byId.get(row.question_id);
    const options = known && { answer: known.answer, incorrect: known.incorrect };
    return {
      ...row,
      question: row.question ?? (known ? excerpt(known.question) : null),
      question_id: known ? row.question_id : null,
      differs: differs && { in: differs, row: given.get(row.row) ?? null, known: options ?? null },
    };
  });
}

const REPORT_PAGE_SIZE = 2_000;

/** Reads the whole report, a page at a time. */
export async function* readWholeReport(
  db: Queryable,
  importId: string,
): AsyncGenerator<ReportedRow[]> {
  let after = 0;
  for (;;) {
    const rows = await readReport(db, importId, { after, limit: REPORT_PAGE_SIZE });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.row;
  }
}

const HEADER = [
  'row',
  'line',
  'outcome',
  'field',
  'reason',
  'explanation',
  'value',
  'question',
  'question_id',
  'repeats_row',
];

/** Writes the report of an import as CSV, a page at a time: one line for each fault or warning of a row. */
export async function* writeReport(
  db: Queryable,
  importId: string,
  language: AppLanguage,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + stringify([HEADER], EXCEL_CSV);
  for await (const rows of readWholeReport(db, importId)) {
    yield stringify(
      rows.flatMap((row) => toLines(row, language)),
      EXCEL_CSV,
    );
  }
}

type Cell = string | number | null;

function toLines(row: ReportedRow, language: AppLanguage): Cell[][] {
  const remarks = [
    ...row.faults.map((fault) => [fault, faultText(language, fault)] as const),
    ...row.warnings.map((warning) => [warning, warningText(language, warning)] as const),
  ];
  const line = (field: string, reason: string, explanation: string, value: string) => [
    row.row,
    row.line,
    row.outcome,
    // Names and texts come from the file, so they are untrusted.
    guardCell(field),
    reason,
    guardCell(explanation),
    guardCell(value),
    guardCell(row.question ?? ''),
    row.question_id,
    row.repeats,
  ];
  if (row.differs) {
    const { in: place, known } = row.differs;
    const text = differenceText(language, place, knownText(place, known));
    return [line('', `other_${place}`, text, row.differs.row?.answer ?? '')];
  }
  if (remarks.length === 0) return [line('', '', '', '')];
  return remarks.map(([{ field, reason, value }, text]) => line(field, reason, text, value ?? ''));
}

const knownText = (place: 'answer' | 'options', known: Given | null) =>
  known === null ? '' : place === 'answer' ? known.answer : known.incorrect.join(' | ');

/** How a file of rejected rows is written: as the file that was sent. */
interface RowFile {
  type: string;
  extension: 'json' | 'csv';
  content: AsyncGenerator<string>;
}

/**
 * The rejected rows of an import, and those with another answer, in the format of the file, each with the reason, ready
 * to be corrected and sent again. Rows that were too large to be read are left out.
 *
 * @throws AppError `import_not_found`
 */
export async function rejectedRows(
  db: Queryable,
  importId: string,
  language: AppLanguage,
): Promise<RowFile> {
  const { columns } = await readImport(db, importId);
  const rows = readKeptRows(db, importId, language);
  return columns
    ? {
        type: 'text/csv; charset=utf-8',
        extension: 'csv',
        content: writeCsv(rows, columns, language),
      }
    : { type: 'application/json; charset=utf-8', extension: 'json', content: writeJson(rows) };
}

/** A kept row with the reason why it is not in the bank. */
interface ExplainedRow {
  source: unknown;
  reason: string;
}

async function* readKeptRows(
  db: Queryable,
  importId: string,
  language: AppLanguage,
): AsyncGenerator<ExplainedRow> {
  let behind = -1;
  for (;;) {
    const { rows } = await db.query<StoredBatch>(
      `select number, end_line, report, warnings, not_offered, ids, kept_rows from import_batch
       where import_id = $1 and number > $2 and kept_rows is not null order by number limit 1`,
      [importId, behind],
    );
    const [batch] = rows;
    if (!batch) return;
    behind = batch.number;
    const sources = new Map(keptRowsOf(batch.kept_rows).map(({ row, source }) => [row, source]));
    const found = unpack(batch).filter(({ row }) => sources.has(row));
    for (const row of await withQuestions(db, found, new Map())) {
      yield { source: sources.get(row.row), reason: reasonOf(row, language) };
    }
  }
}

/** `Rad 4, linje 5: Riktig svar mangler`. */
function reasonOf(row: ReportedRow, language: AppLanguage): string {
  const { differs } = row;
  const texts = differs
    ? [differenceText(language, differs.in, knownText(differs.in, differs.known))]
    : row.faults.map((fault) => faultText(language, fault));
  const words = language === 'no' ? { row: 'Rad', line: 'linje' } : { row: 'Row', line: 'line' };
  const line = row.line === null ? '' : `, ${words.line} ${row.line}`;
  return `${words.row} ${row.row}${line}: ${texts.join('. ')}`;
}

async function* writeJson(rows: AsyncIterable<ExplainedRow>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const { source, reason } of rows) {
    const isRow = typeof source === 'object' && source !== null && !Array.isArray(source);
    // What was no row becomes the question of one, to be completed.
    const fields = isRow
      ? source
      : { question: typeof source === 'string' ? source : JSON.stringify(source) };
    yield `${before}${JSON.stringify({ ...fields, rejected_because: reason }, null, 2)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

const REASON_HEADING: Record<AppLanguage, string> = { no: 'Årsak', en: 'Reason' };

async function* writeCsv(
  rows: AsyncIterable<ExplainedRow>,
  { headings, fields }: Columns,
  language: AppLanguage,
): AsyncGenerator<string> {
  const kept = headings
    .map((_, place) => place)
    .filter((place) => fields[place] !== 'rejected_because');
  const header = [...kept.map((place) => headings[place]!), REASON_HEADING[language]];
  yield BYTE_ORDER_MARK + stringify([header], EXCEL_CSV);
  for await (const { source, reason } of rows) {
    // Cells are written as they stood there; a row that was read is written as an export writes it.
    const cells = Array.isArray(source)
      ? kept.map((place) => String(source[place] ?? ''))
      : kept.map((place) =>
          guardCell(fields[place] ? cellOf(source as CsvRow, fields[place]) : ''),
        );
    yield stringify([[...cells, reason]], EXCEL_CSV);
  }
}
