import { describe, expect, test } from 'vitest';
import { CSV_COLUMNS, type CsvRow, fromCells, toCells } from '#questions/csv-format.ts';
import { readCsvRows } from './read-csv-rows.ts';
import { type FileRow, FROM_START, type ReadFrom, RefusedFile } from './file-rows.ts';
import { importTemplate } from './receive-import.ts';

const HEADER = 'language,topic,question,answer,incorrect_1,incorrect_2';

async function read(
  file: string | Buffer,
  { size = 1_000_000, ...from }: { size?: number } & Partial<ReadFrom> = {},
): Promise<FileRow[]> {
  const bytes = Buffer.from(file);
  const open = async function* (from: number) {
    for (let at = from; at < bytes.length; at += size) {
      yield bytes.subarray(at, Math.min(at + size, bytes.length));
    }
  };
  const read: FileRow[] = [];
  for await (const some of readCsvRows(open, { ...FROM_START, ...from })) read.push(...some);
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

const columnsOf = (file: string) =>
  read(file).then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof RefusedFile)) throw error;
      return [error.refusal.missing, error.refusal.unknown];
    },
  );

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

  test('in windows-1252, as Excel in Norway writes plain CSV, is read', async () => {
    // 0x96 is a dash of windows-1252, and a control character of Latin-1.
    const row = 'no,t,Blåbær\x96øl?,a,b,c';
    const file = Buffer.from(`${HEADER}\n${row}\n`, 'latin1');
    expect(await values(file)).toEqual([{ ...one, question: 'Blåbær–øl?' }]);
    const late = Buffer.concat([
      Buffer.from(`${HEADER}\n${'no,t,A?,a,b,c\n'.repeat(10_000)}`),
      Buffer.from(row, 'latin1'),
    ]);
    expect((await values(late)).at(-1)).toEqual({ ...one, question: 'Blåbær–øl?' });
  });

  test.each([
    ['says so by a byte-order mark', `\uFEFF${HEADER}\n`],
    ['has letters in UTF-8 at its beginning', `${HEADER}\n${'no,t,å?,a,b,c\n'.repeat(10_000)}`],
  ])('that %s reports a row that is not UTF-8', async (_name, head) => {
    const file = Buffer.concat([
      Buffer.from(head),
      Buffer.from('no,t,\u00e5,a,b,c\n', 'latin1'),
      Buffer.from('no,t,A?,a,b,c'),
    ]);
    expect((await values(file)).slice(-2)).toEqual(['not_utf8', one]);
  });

  test('with Norwegian headings is read, in any order', async () => {
    const file =
      'Riktig svar;Galt svar 1;Feil svar 2;Tema;Språk;Spørsmål;Sist sjekket\na;b;c;t;no;A?;5.1.2026';
    expect(await values(file)).toEqual([{ ...one, checked_at: '2026-01-05' }]);
  });

  test.each([
    ['15.01.2026', '2026-01-15'],
    ['1.1.2026', '2026-01-01'],
    ['2026-01-15', '2026-01-15'],
    ['31.02.2026', '31.02.2026'],
    ['i går', 'i går'],
  ])('has the date %s as %s', async (cell, checked_at) => {
    const file = `${HEADER.replace('incorrect_2', 'checked_at')}\nno,t,A?,a,b,${cell}`;
    expect(await values(file)).toEqual([{ ...one, incorrect: ['b'], checked_at }]);
  });

  test('leaves out rows that were emptied in a spreadsheet', async () => {
    expect(await values(`${HEADER}\nno,t,A?,a,b,c\n,,,,,\n,,,,,\n`)).toEqual([one]);
  });

  test('tells the line of each row, which may have several', async () => {
    const lines = [
      'no,t,"A\r\n?",a,b,c',
      '',
      'no,t,B?,a,b,c',
      'no,t,"C\n\n?",a,b,c',
      'no,t,D?,a,b,c',
    ];
    for (const end of ['\n', '\r\n']) {
      for (const size of [1, 7, 1_000]) {
        const rows = await read([HEADER, ...lines].join(end), { size });
        expect(rows.map(({ line }) => line)).toEqual([2, 5, 6, 9]);
      }
    }
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
          for (const [index, { end: byte, endLine: line }] of whole.entries()) {
            const rest = await read(file, { size, byte, line, rows: index + 1 });
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
    ['with empty cells without end', `${HEADER}\n${','.repeat(5_000_000)}`, 'not_csv'],
    ['with a thousand columns', `${HEADER}${',x'.repeat(1_000)}\n`, 'not_csv'],
    ['with a cell without end', `${HEADER}\nno,t,"${'x'.repeat(5_000_000)}`, 'not_csv'],
    ['with a header without end', 'x'.repeat(5_000_000), 'csv_header'],
  ])('%s', async (_name, file, reason) => {
    expect(await refusalOf(file)).toBe(reason);
  });
});

test('a CSV file that is refused for its columns says which are missing and which are unknown', async () => {
  expect(await columnsOf('Språk;Emne;Spørsmålet;Farge\nno;t;A?;rød')).toEqual([
    ['answer', 'incorrect_1'],
    ['Farge'],
  ]);
  expect(await columnsOf(`${HEADER},answer\n`)).toEqual([[], ['answer']]);
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
