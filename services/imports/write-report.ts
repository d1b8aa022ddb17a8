import { stringify } from 'csv-stringify/sync';
import type { Import } from '@proveklar/contract/imports.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import { BYTE_ORDER_MARK, EXCEL_CSV, guardCell } from '#csv/csv.ts';
import type { Queryable } from '#database/pool.ts';
import { cellOf, type CsvRow } from '#questions/csv-format.ts';
import type { CellKind } from './file-rows.ts';
import { readImport } from './read-imports.ts';
import {
  type KeptReportedRow,
  readKeptRows,
  readWholeReport,
  type ReportedRow,
} from './read-report.ts';
import { differenceText, faultText, warningText } from './row-texts.ts';
import { writeXlsx, type XlsxCell } from './write-xlsx.ts';

// The files that an administrator downloads: the report of an import, and its rejected rows.

interface ReportTexts {
  header: string[];
  outcome: Record<ReportedRow['outcome'], string>;
}

const REPORT_TEXTS: Record<AppLanguage, ReportTexts> = {
  no: {
    header: [
      'rad',
      'linje',
      'resultat',
      'felt',
      'kode',
      'forklaring',
      'verdi',
      'spørsmål',
      'id',
      'gjentar rad',
    ],
    outcome: {
      imported: 'lagt til',
      updated: 'oppdatert',
      duplicate: 'finnes fra før',
      rejected: 'avvist',
    },
  },
  en: {
    header: [
      'row',
      'line',
      'result',
      'field',
      'code',
      'explanation',
      'value',
      'question',
      'id',
      'repeats row',
    ],
    outcome: {
      imported: 'added',
      updated: 'updated',
      duplicate: 'exists already',
      rejected: 'rejected',
    },
  },
};

/** Writes the report of an import as CSV, a page at a time: one line for each fault or warning of a row. */
export async function* writeReport(
  db: Queryable,
  importId: string,
  language: AppLanguage,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + stringify([REPORT_TEXTS[language].header], EXCEL_CSV);
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
    REPORT_TEXTS[language].outcome[row.outcome],
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
  extension: Import['format'];
  content: AsyncGenerator<string | Buffer>;
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
  const rows = readKeptRows(db, importId);
  if (!columns) {
    const content = writeJson(rows, language);
    return { type: 'application/json; charset=utf-8', extension: 'json', content };
  }
  // A workbook is recognised by its content, whatever its sender called it. It has no delimiter.
  if (columns.delimiter !== '') {
    const content = writeCsv(rows, columns, language);
    return { type: 'text/csv; charset=utf-8', extension: 'csv', content };
  }
  return {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    content: writeWorkbook(rows, columns, language),
  };
}

/** The columns of a table, and how the file is written. */
type Table = NonNullable<Import['columns']>;

async function* writeJson(
  rows: AsyncIterable<KeptReportedRow>,
  language: AppLanguage,
): AsyncGenerator<string> {
  let before = '[\n';
  for await (const kept of rows) {
    const { source } = kept;
    const isRow = typeof source === 'object' && source !== null && !Array.isArray(source);
    // What was no row becomes the question of one, to be completed.
    const fields = isRow
      ? source
      : { question: typeof source === 'string' ? source : JSON.stringify(source) };
    const row = { ...fields, rejected_because: reasonOf(kept, language) };
    yield `${before}${JSON.stringify(row, null, 2)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

async function* writeCsv(
  rows: AsyncIterable<KeptReportedRow>,
  table: Table,
  language: AppLanguage,
): AsyncGenerator<string> {
  const places = placesOf(table);
  yield BYTE_ORDER_MARK + stringify([headingsOf(table, language)], EXCEL_CSV);
  for await (const kept of rows) {
    const { source } = kept;
    // Cells are written as they stood there; a row that was read is written as an export writes it.
    const cells = Array.isArray(source)
      ? places.map((place) => String(source[place] ?? ''))
      : places.map((place) => guardCell(textOf(source, table.fields[place])));
    yield stringify([[...cells, reasonOf(kept, language, table)]], EXCEL_CSV);
  }
}

/** Fields that are not text. */
const FIELD_KINDS: Record<string, CellKind> = {
  checked_at: 'date',
  valid_from: 'date',
  ages: 'number',
};

const SHEET_NAME: Record<AppLanguage, string> = { no: 'Avviste rader', en: 'Rejected rows' };

function writeWorkbook(
  rows: AsyncIterable<KeptReportedRow>,
  table: Table,
  language: AppLanguage,
): AsyncGenerator<Buffer> {
  const places = placesOf(table);
  const toCells = ({ source, kinds }: KeptReportedRow): XlsxCell[] => {
    if (Array.isArray(source)) {
      return places.map((place) => ({ text: String(source[place] ?? ''), kind: kinds?.[place] }));
    }
    return places.map((place) => {
      const field = table.fields[place];
      const text = textOf(source, field);
      // Reading a table removes an apostrophe before the sign of a formula.
      return {
        text: text.startsWith("'") ? guardCell(text) : text,
        kind: FIELD_KINDS[field ?? ''],
      };
    });
  };
  return writeXlsx({
    name: SHEET_NAME[language],
    headings: headingsOf(table, language),
    rows: (async function* () {
      for await (const kept of rows) {
        yield [...toCells(kept), { text: reasonOf(kept, language, table) }];
      }
    })(),
  });
}

/** The places of the columns that are written: all but the reasons of an earlier file. */
const placesOf = ({ fields }: Table) =>
  [...fields.keys()].filter((place) => fields[place] !== 'rejected_because');

const REASON_HEADING: Record<AppLanguage, string> = { no: 'Årsak', en: 'Reason' };

const headingsOf = (table: Table, language: AppLanguage) => [
  ...placesOf(table).map((place) => table.headings[place]!),
  REASON_HEADING[language],
];

const textOf = (source: unknown, field: string | null | undefined) =>
  field ? cellOf(source as CsvRow, field) : '';

/** Where a row stood. The line of a workbook is the row that Excel shows. */
const PLACES = {
  no: {
    row: (row: number) => `Rad ${row}`,
    line: (line: number) => `linje ${line}`,
    excel: (line: number) => `rad ${line} i Excel`,
  },
  en: {
    row: (row: number) => `Row ${row}`,
    line: (line: number) => `line ${line}`,
    excel: (line: number) => `row ${line} in Excel`,
  },
};

/** Why a row is not in the bank: `Rad 4, linje 5: Riktig svar mangler: fyll ut`. */
function reasonOf({ row, source }: KeptReportedRow, language: AppLanguage, table?: Table): string {
  const { differs, line } = row;
  const places = PLACES[language];
  const place = [places.row(row.row)];
  if (line !== null) place.push(places[table?.delimiter === '' ? 'excel' : 'line'](line));
  const texts = differs
    ? [differenceText(language, differs.in, knownText(differs))]
    : row.faults.map((fault) => {
        const isTable = table && Array.isArray(source);
        return faultText(language, fault, isTable ? headingOf(fault.field, table, source) : null);
      });
  return `${place.join(', ')}: ${texts.join('. ')}`;
}

/** The heading of the column that a field of a row is; null when it is none or several. */
function headingOf(
  field: string,
  { headings, fields }: Table,
  cells: readonly unknown[],
): string | null {
  const [name, number] = field.split('.');
  let column: string | null | undefined =
    number === undefined || name === 'image' ? name : undefined;
  if (name === 'incorrect' || name === 'incorrect_reasons') {
    // Empty cells between wrong answers do not count.
    const wrong = fields.filter(
      (known, place) => /^incorrect_\d$/.test(known ?? '') && cells[place],
    );
    const answer = wrong[Number(number)];
    column = name === 'incorrect' ? answer : answer?.replace('incorrect', 'incorrect_reason');
  }
  return headings[fields.indexOf(column ?? '')] ?? null;
}
