import { describe, expect, test } from 'vitest';
import { CSV_COLUMNS, type CsvRow, fromCells, toCells } from '#questions/csv-format.ts';
import { readCsvRows } from './read-csv-rows.ts';
import type { FileRow } from './file-rows.ts';
import { RefusedFile } from './file-rows.ts';
import { importTemplate } from './receive-import.ts';

const HEADER = 'language,topic,question,answer,incorrect_1,incorrect_2';

async function read(
  file: string | Buffer,
  { size = 1_000_000, byte = 0, rows = 0 } = {},
): Promise<FileRow[]> {
  const bytes = Buffer.from(file);
  const open = async function* (from: number) {
    for (let at = from; at < bytes.length; at += size) {
      yield bytes.subarray(at, Math.min(at + size, bytes.length));
    }
  };
  const read: FileRow[] = [];
  for await (const some of readCsvRows(open, { byte, rows })) read.push(...some);
  return read;
}

/** The rows as objects. */
async function values(file: string | Buffer): Promise<unknown[]> {
  return (await read(file)).map(valueOf);
}

const valueOf = (row: FileRow): unknown => {
  if (row.fault !== undefined) return row.fault;
  return (row as { value?: unknown }).value;
};

const refusalOf = (file: string | Buffer) =>
  read(file).then(
    () => 'taken',
    (error: unknown) => (error instanceof RefusedFile ? error.refusal.reason : error),
  );

const one = { language: 'no', topic: 't', question: 'A?', answer: 'a', incorrect: ['b', 'c'] };

describe('a CSV file', () => {
  test.each<[string, string]>([
    ['with commas', `${HEADER}\nno,t,A?,a,b,c\n`],
    ['with semicolons, as Excel in Norwegian', `${HEADER}\nno,t,A?,a,b,c`.replaceAll(',', ';')],
    ['with tabs', `${HEADER}\nno,t,A?,a,b,c`.replaceAll(',', '\t')],
    ['with CRLF', `${HEADER}\r\nno,t,A?,a,b,c\r\n`],
    ['with a byte-order mark', `\uFEFF${HEADER}\nno,t,A?,a,b,c`],
    ['with quotes', `"${HEADER.replaceAll(',', '","')}"\n"no","t","A?","a","b","c"`],
    ['with other letters in the header', `${HEADER.toUpperCase()}\nno,t,A?,a,b,c`],
    ['with empty lines', `${HEADER}\n\nno,t,A?,a,b,c\n\n\n`],
    ['in another order', 'answer,incorrect_1,incorrect_2,topic,language,question\na,b,c,t,no,A?'],
  ])('%s', async (_name, file) => {
    expect(await values(file)).toEqual([one]);
  });

  test('keeps delimiters, line breaks and quotes inside quotes', async () => {
    const file = `${HEADER}\r\nno,"a, b","line\r\n""two""",";",b,'\r\n`;
    expect(await values(file)).toEqual([
      { ...one, topic: 'a, b', question: 'line\r\n"two"', answer: ';', incorrect: ['b', "'"] },
    ]);
  });

  test('may leave out empty cells at the end of a line, as Excel does', async () => {
    expect(await values(`${HEADER}\nno,t,A?,a,b\nno,t,A?,a,b,c`)).toEqual([
      { ...one, incorrect: ['b'] },
      one,
    ]);
  });

  test('with mixed line ends is read the same', async () => {
    const file = `${HEADER}\nno,t,A?,a,b,c\r\nno,t,B?,a,b,c\nno,t,C?,a,b,c\r\n`;
    expect(await values(file)).toEqual(
      ['A?', 'B?', 'C?'].map((question) => ({ ...one, question })),
    );
  });

  test('reports a row that is not UTF-8, as Excel writes plain CSV', async () => {
    const file = Buffer.from(`${HEADER}\nno,t,\u00e5,a,b,c\nno,t,A?,a,b,c`, 'latin1');
    expect(await values(file)).toEqual(['not_utf8', one]);
  });

  test('can be resumed at the end of every row, in pieces of any size', async () => {
    for (const lineEnd of ['\n', '\r\n']) {
      const lines = [
        'no,t,"Æ,\r\n""?",a,b,c',
        '',
        'no,t,B?,a,b,',
        'no,t,🙂?,a,"b",c',
        'no,t,D?,a,b,c',
      ];
      for (const end of ['', lineEnd]) {
        const file = `\uFEFF${[HEADER, ...lines].join(lineEnd)}${end}`;
        const whole = await read(file);
        expect(whole).toHaveLength(4);
        for (const size of [1, 5, 17, 1_000]) {
          expect(await read(file, { size })).toEqual(whole);
          for (const [index, { end: byte }] of whole.entries()) {
            const rest = await read(file, { size, byte, rows: index + 1 });
            expect(rest, `from ${byte}, pieces of ${size}`).toEqual(whole.slice(index + 1));
          }
        }
      }
    }
  });
});

describe('a CSV file is refused', () => {
  test.each<[string, string | Buffer, string]>([
    ['that is empty', '', 'empty'],
    ['without a header', 'no,t,A?,a,b,c', 'csv_header'],
    ['with an unknown column', `${HEADER},color\nno,t,A?,a,b,c,d`, 'csv_header'],
    ['with a column missing', `${HEADER.replace('answer,', '')}\nno,t,A?,b,c`, 'csv_header'],
    ['with a column twice', `${HEADER},answer\nno,t,A?,a,b,c,a`, 'csv_header'],
    ['in UTF-16', Buffer.from(`\uFEFF${HEADER}\n`, 'utf16le'), 'csv_header'],
    ['with a quote that is never closed', `${HEADER}\nno,t,"A?,a,b,c\n`, 'not_csv'],
    ['with a cell too many', `${HEADER}\nno,t,A?,a,b,c,d`, 'not_csv'],
    ['with a cell without end', `${HEADER}\nno,t,"${'x'.repeat(5_000_000)}`, 'not_csv'],
    ['with a header without end', 'x'.repeat(5_000_000), 'csv_header'],
  ])('%s', async (_name, file, reason) => {
    expect(await refusalOf(file)).toBe(reason);
  });
});

describe('a row as CSV', () => {
  const row: CsvRow = { ...one, tags: ['x', 'y'], explanation: 'Fordi.' };
  const andBack = (change: object) => {
    const cells = toCells({ ...row, ...change });
    return fromCells(Object.fromEntries(CSV_COLUMNS.map((column, at) => [column, cells[at]!])));
  };

  test.each(['=1+1', '+1', '-1', '@x', '\tx', "'x", "'=x", "''=x", 'x=1'])(
    '%j is escaped as a formula, and restored when it is read again',
    (answer) => {
      expect(toCells({ ...row, answer })[3]).not.toMatch(/^[=+\-@\t\r]/);
      expect(andBack({ answer })).toEqual({ ...row, answer });
    },
  );

  test('the template can be imported', async () => {
    const [template] = await values(importTemplate('csv'));
    expect(template).toEqual((JSON.parse(importTemplate('json')) as unknown[])[0]);
  });
});
