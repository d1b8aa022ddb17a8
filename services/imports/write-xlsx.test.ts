import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readWorkbook } from '@proveklar/tests/support/xlsx.ts';
import { XlsxParts } from './open-xlsx.ts';
import { writeXlsx, type XlsxCell } from './write-xlsx.ts';

const HEADINGS = ['language', 'topic', 'question', 'answer', 'incorrect_1', 'checked_at', 'Årsak'];

async function* each(rows: Iterable<readonly XlsxCell[]>) {
  yield* rows;
}

const piecesOf = (rows: Iterable<readonly XlsxCell[]>) =>
  writeXlsx({ name: 'Ark & <1>', headings: HEADINGS, rows: each(rows) });

const write = async (rows: Iterable<readonly XlsxCell[]>) =>
  Buffer.concat(await Array.fromAsync(piecesOf(rows)));

const text = (...texts: string[]): XlsxCell[] => texts.map((one) => ({ text: one }));

/** The XML of a part. */
async function partOf(workbook: Buffer, name: string): Promise<string> {
  const open = async function* (byte: number) {
    yield workbook.subarray(byte);
  };
  const parts = await XlsxParts.open(open, workbook.length);
  return Buffer.concat(await Array.fromAsync(parts.read(name))).toString();
}

const SHEET = 'xl/worksheets/sheet1.xml';

describe('a written workbook', () => {
  test('is read as it was written: headings, and cells of each kind', async () => {
    const row: XlsxCell[] = [
      { text: 'no' },
      { text: '1814', kind: 'number' },
      { text: 'Æ, ø & «å» <b>"\n\ttab' },
      { text: '7.5 %', kind: 'percent' },
      { text: 'TRUE', kind: 'boolean' },
      { text: '2026-01-15', kind: 'date' },
      { text: 'x' },
    ];
    const { headings, rows } = await readWorkbook(await write([row, text('', '', 'B?')]));
    expect(headings).toEqual(HEADINGS);
    expect(rows.map(({ line, cells, kinds }) => ({ line, cells, kinds }))).toEqual([
      {
        line: 2,
        cells: row.map((cell) => cell.text),
        kinds: { 1: 'number', 3: 'percent', 4: 'boolean', 5: 'date' },
      },
      { line: 3, cells: ['', '', 'B?'], kinds: undefined },
    ]);
  });

  test('has a text as text, whatever kind of cell it is said to be', async () => {
    const hostile = '1</v></c><c r="C2"><f>HYPERLINK("https://elsewhere.example")</f></c><c><v>2';
    const workbook = await write([
      [
        { text: hostile, kind: 'number' },
        { text: `${hostile} %`, kind: 'percent' },
      ],
    ]);
    expect(await partOf(workbook, SHEET)).not.toContain('<f>');
    const { rows } = await readWorkbook(workbook);
    expect(rows[0]).toMatchObject({ cells: [hostile, `${hostile} %`], kinds: undefined });
  });

  test('has as much of a text as a cell in Excel may have', async () => {
    const { rows } = await readWorkbook(await write([text('x'.repeat(50_000))]));
    expect(rows[0]!.cells![0]).toBe(`${'x'.repeat(32_766)}…`);
  });

  test.each([
    ['2026-01-15', { 5: 'date' }],
    ['1900-03-01', { 5: 'date' }],
    ['1814-05-17', undefined],
    ['15.01.2026', undefined],
  ])('has the date %s as a day, or as text if Excel has no such day', async (day, kinds) => {
    const cells: XlsxCell[] = [...text('', '', 'A?', '', ''), { text: day, kind: 'date' }];
    const { rows } = await readWorkbook(await write([cells]));
    expect(rows[0]).toMatchObject({ cells: ['', '', 'A?', '', '', day] });
    expect(rows[0]!.kinds).toEqual(kinds);
  });

  test('has the sign of a formula in a text, and no formula, also when the cell is edited', async () => {
    const signs = ['=1+1', '+1', '-1', '@A1', '\t=1', "'=1", '＝1'];
    const workbook = await write(signs.map((sign) => text('', '', sign)));
    const { rows } = await readWorkbook(workbook);
    expect(rows.map(({ cells }) => cells![2])).toEqual(signs);
    const sheet = await partOf(workbook, SHEET);
    expect(sheet).not.toContain('<f');
    // Each has the second format, which is Text with an apostrophe.
    expect(sheet.match(/ s="1" t="inlineStr"/g)).toHaveLength(signs.length);
    const formats = (await partOf(workbook, 'xl/styles.xml')).split('<cellXfs')[1]!;
    expect(formats.match(/<xf [^>]*>/g)![1]).toMatch(/numFmtId="49".*quotePrefix="1"/);
  });

  test('keeps characters that XML cannot have', async () => {
    const odd = '\0\u0001\r\u001f\ufffe\ud800x_x0041_ _x005F_ 🙂';
    const { rows } = await readWorkbook(await write([text('', '', odd)]));
    expect(rows[0]!.cells![2]).toBe(odd);
  });

  test('without rows has its headings', async () => {
    const { headings, rows } = await readWorkbook(await write([]));
    expect([headings, rows]).toEqual([HEADINGS, []]);
  });
});

test('a workbook that is not read to its end ends the reading of its rows', async () => {
  let isEnded = false;
  const rows = (function* () {
    try {
      for (;;) yield text('no', randomBytes(1_000).toString('hex'));
    } finally {
      isEnded = true;
    }
  })();
  let size = 0;
  for await (const piece of piecesOf(rows)) {
    size += piece.length;
    if (size > 50_000) break;
  }
  await expect.poll(() => isEnded).toBe(true);
});

test('a workbook fails as the reading of its rows does', async () => {
  const rows = (function* () {
    yield text('no');
    throw new Error('no rows');
  })();
  await expect(write(rows)).rejects.toThrow('no rows');
});
