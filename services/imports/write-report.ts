import { stringify } from 'csv-stringify/sync';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import { BYTE_ORDER_MARK, EXCEL_CSV, guardCell } from '#csv/csv.ts';
import type { Queryable } from '#database/pool.ts';
import { cellOf, type CsvRow } from '#questions/csv-format.ts';
import type { Columns } from './columns.ts';
import { readImport } from './read-imports.ts';
import { readKeptRows, readWholeReport, type ReportedRow } from './read-report.ts';
import { differenceText, faultText, warningText } from './row-texts.ts';

// The files that an administrator downloads: the report of an import, and its rejected rows.

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
    const { in: place, row: given } = row.differs;
    const text = differenceText(language, place, knownText(row.differs));
    return [line('', `other_${place}`, text, given?.answer ?? '')];
  }
  if (remarks.length === 0) return [line('', '', '', '')];
  return remarks.map(([{ field, reason, value }, text]) => line(field, reason, text, value ?? ''));
}

const knownText = ({ in: place, known }: NonNullable<ReportedRow['differs']>) =>
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
  const rows = explained(readKeptRows(db, importId), language);
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

async function* explained(
  rows: ReturnType<typeof readKeptRows>,
  language: AppLanguage,
): AsyncGenerator<ExplainedRow> {
  for await (const { source, row } of rows) yield { source, reason: reasonOf(row, language) };
}

/** `Rad 4, linje 5: Riktig svar mangler`. */
function reasonOf(row: ReportedRow, language: AppLanguage): string {
  const { differs } = row;
  const texts = differs
    ? [differenceText(language, differs.in, knownText(differs))]
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
