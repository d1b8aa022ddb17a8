import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { afterEach, expect, test } from 'vitest';
import { rejectedRows } from '@proveklar/services/imports/write-report.ts';
import type { QuestionRow } from '@proveklar/contract/question-row.ts';
import { useTestDatabase } from '#support/database.ts';
import { importFile } from '#support/imports.ts';
import { readWorkbook, rowOf, sheetOf, xlsxOf } from '#support/xlsx.ts';

// A large file with the faults of real files, in each format, is mended from the file of its rejected rows alone, by
// what each row says is wrong with it, and is then imported without a fault.
const ROWS = 50_000;
/** Every hundredth row has a fault, another one each time; the one after it repeats a row. */
const EVERY = 100;

const database = useTestDatabase();
afterEach(() => database.pool.query('truncate question, question_import, outbox cascade'));

type Row = Partial<Record<keyof QuestionRow, unknown>> & { incorrect: string[] };

const plain = (number: number): Row => ({
  language: 'no',
  topic: `Tema ${number % 20}`,
  question: `Hva er «svar nummer ${number}»; og hvorfor?`,
  answer: `Svar ${number}`,
  incorrect: [`Galt ${number}`, `Feil ${number}`],
  explanation: 'Fordi det er slik.\nSe kilden.',
  checked_at: '2026-01-15',
});

/** The faults of rows, each rejected or left out. */
const FAULTS: ((row: Row, number: number) => Row)[] = [
  (row) => ({ ...row, incorrect: [row.incorrect[0]!, row.incorrect[0]!] }),
  (row) => ({ ...row, incorrect: [row.incorrect[0]!, String(row.answer)] }),
  (row) => ({ ...row, answer: '' }),
  (row) => ({ ...row, language: 'norsk' }),
  (row) => ({ ...row, checked_at: '31.02.2026' }),
  (row, number) => ({ ...row, question: plain(number - 50).question }),
];

/** Rows that are imported with a warning. */
const WARNED: ((row: Row) => Row)[] = [
  (row) => ({ ...row, question: `${String(row.question)} sÃ¸knad` }),
  (row) => ({ ...row, question: `<b>${String(row.question)}</b>` }),
  (row) => ({ ...row, answer: `${String(row.answer)}\u00ad` }),
  (row) => ({ ...row, incorrect: row.incorrect.slice(1) }),
  (row) => ({ ...row, topic: String(row.topic).toUpperCase() }),
];

function makeRows(): { rows: Row[]; faulty: number; repeated: number; warned: number } {
  const counts = { faulty: 0, repeated: 0, warned: 0 };
  const rows = Array.from({ length: ROWS }, (_, place) => {
    const number = place + 1;
    const row = plain(number);
    const turn = Math.floor(number / EVERY);
    if (number % EVERY === 0) {
      counts.faulty += 1;
      return FAULTS[turn % FAULTS.length]!(row, number);
    }
    if (number % EVERY === 1 && number > 1) {
      counts.repeated += 1;
      return plain(number - 60);
    }
    if (number % EVERY === 2) {
      counts.warned += 1;
      return WARNED[turn % WARNED.length]!(row);
    }
    return row;
  });
  return { rows, ...counts };
}

const HEADINGS = {
  Språk: 'language',
  Tema: 'topic',
  Spørsmål: 'question',
  'Riktig svar': 'answer',
  'Galt svar 1': 'incorrect.0',
  'Galt svar 2': 'incorrect.1',
  Forklaring: 'explanation',
  'Sist sjekket': 'checked_at',
} as const;

const toCells = (row: Row): string[] =>
  Object.values(HEADINGS).map((field) => {
    const [name, place] = field.split('.') as [keyof Row, string | undefined];
    const value = place === undefined ? row[name] : row.incorrect[Number(place)];
    return typeof value === 'string' ? value : '';
  });

const asCsv = (rows: readonly Row[]) =>
  Buffer.from(stringify([Object.keys(HEADINGS), ...rows.map(toCells)], { delimiter: ';' }), 'utf8');

const asWorkbook = (rows: readonly Row[]) =>
  xlsxOf({
    sheets: {
      Ark1: sheetOf([Object.keys(HEADINGS), ...rows.map(toCells)].map((r) => rowOf(r)).join('')),
    },
  });

/** Mends a row by what it says is wrong with it, and by nothing else. */
function mend(row: Record<string, string>, reason: string): Record<string, string> {
  const mended = { ...row };
  const wrong = /Galt svar (\d+) er det samme/.exec(reason)?.[1];
  if (wrong) mended[`Galt svar ${wrong}`] = `${row[`Galt svar ${wrong}`]!} (et annet)`;
  if (/Riktig svar (?:er tomt|mangler)/.test(reason)) mended['Riktig svar'] = 'Det riktige svaret';
  if (reason.includes('Språk er ikke en språkkode')) mended.Språk = 'no';
  if (reason.includes('Sist sjekket er ikke en dato')) mended['Sist sjekket'] = '2026-01-31';
  if (reason.includes('Samme spørsmål finnes')) mended.Spørsmål = `${row.Spørsmål!} (2)`;
  return mended;
}

/** The rejected rows as a table, whatever the format. */
async function readRejected(file: Buffer, extension: string): Promise<Record<string, string>[]> {
  const text = file.toString();
  if (extension === 'csv') {
    return parse(text, { bom: true, columns: true, delimiter: ';' });
  }
  if (extension === 'xlsx') {
    const { headings, rows } = await readWorkbook(file);
    return rows.map(({ cells = [] }) =>
      Object.fromEntries(headings.map((heading, place) => [heading, cells[place] ?? ''])),
    );
  }
  return (JSON.parse(text) as Row[]).map((row) => ({
    ...Object.fromEntries(Object.keys(HEADINGS).map((name, at) => [name, toCells(row)[at]!])),
    Årsak: String(row.rejected_because),
  }));
}

const fromCells = (cells: Record<string, string>): Row => ({
  language: cells.Språk,
  topic: cells.Tema,
  question: cells.Spørsmål,
  answer: cells['Riktig svar'],
  incorrect: [cells['Galt svar 1']!, cells['Galt svar 2']!],
  explanation: cells.Forklaring,
  checked_at: cells['Sist sjekket'],
});

test.each([
  ['json', (rows: readonly Row[]) => Buffer.from(JSON.stringify(rows, null, 1))],
  ['csv', asCsv],
  ['xlsx', asWorkbook],
] as const)(
  'a %s file of 50,000 rows is mended from its rejected rows alone, and imported without a fault',
  async (format, write) => {
    const { rows, faulty, repeated, warned } = makeRows();
    const file = write(rows);
    const began = performance.now();
    const done = await importFile(database.pool, file, { format, fileName: `rows.${format}` });
    const seconds = (performance.now() - began) / 1000;
    expect(done).toMatchObject({
      state: 'completed',
      rows: ROWS,
      imported: ROWS - faulty - repeated,
      repeated,
      warned,
    });
    expect(done.rejected + done.differing).toBe(faulty);

    const { content, extension } = await rejectedRows(database.pool, done.id, 'no');
    expect(extension).toBe(format);
    const pieces = (await Array.fromAsync(content)).map((piece) => Buffer.from(piece));
    const rejected = await readRejected(Buffer.concat(pieces), extension);
    expect(rejected).toHaveLength(faulty);
    const mended = rejected.map(({ Årsak: reason = '', ...row }) => mend(row, reason));
    const again = write(mended.map(fromCells));
    const clean = await importFile(database.pool, again, { format });
    expect(clean).toMatchObject({
      state: 'completed',
      rows: faulty,
      imported: faulty,
      rejected: 0,
      duplicates: 0,
      warned: 0,
    });
    process.stdout.write(
      `${format}: ${ROWS} rows, ${Math.round(file.length / 1000)} kB, in ${seconds.toFixed(1)} s: ` +
        `${done.imported} imported, ${repeated} repeated, ${warned} with a warning, ` +
        `${done.rejected} rejected, ${done.differing} with another answer; ${clean.imported} imported once mended\n`,
    );
  },
);
