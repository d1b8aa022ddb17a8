import { describe, expect, test } from 'vitest';
import { openOf, partsOf, rowOf, sheetOf, xlsxOf, zipOf } from '@proveklar/tests/support/xlsx.ts';
import { FROM_START, type FileRow, type ReadFrom, RefusedFile } from './file-rows.ts';
import { readRows } from './read-rows.ts';
import { readSheetNames } from './read-xlsx-rows.ts';

const HEADINGS = ['Språk', 'Tema', 'Spørsmål', 'Riktig svar', 'Galt svar 1', 'Sist sjekket'];
const one = { language: 'no', topic: 't', question: 'A?', answer: 'a', incorrect: ['b'] };

async function read(
  bytes: Buffer,
  options: { sheet?: string; size?: number } & Partial<ReadFrom> = {},
): Promise<FileRow[]> {
  const { sheet = null, size = 64 * 1024, ...from } = options;
  const { rows } = readRows(
    { open: openOf(bytes, size), format: 'xlsx', sheet },
    { ...FROM_START, ...from },
  );
  return (await Array.fromAsync(rows)).flat();
}

const valuesOf = async (...given: Parameters<typeof read>) =>
  (await read(...given)).map((row) => row.value);

const refusalOf = (...given: Parameters<typeof read>) =>
  read(...given).then(
    () => 'taken',
    (error: unknown) => (error instanceof RefusedFile ? error.refusal.reason : error),
  );

const sheet = (...rows: string[]) => sheetOf([rowOf(HEADINGS), ...rows].join(''));
const plain = rowOf(['no', 't', 'A?', 'a', 'b']);

describe('a workbook', () => {
  test('has a question in each row, with the number that Excel shows', async () => {
    const rows = sheetOf(
      `<row r="1"/>${rowOf(HEADINGS, 'r="2"')}${rowOf(['no', 't', 'A?', 'a', 'b'], 'r="3"')}` +
        `<row r="4"><c r="A4"/></row>${rowOf(['no', 't', 'B?', 'a', 'b'], 'r="7"')}`,
    );
    const found = await read(xlsxOf({ sheets: { Ark1: rows } }));
    expect(found.map(({ line, value }) => [line, (value as typeof one).question])).toEqual([
      [3, 'A?'],
      [7, 'B?'],
    ]);
  });

  test('is read the same in chunks of any size, and from any row on', async () => {
    const file = xlsxOf({
      sheets: {
        Ark1: sheet(...['A?', 'Æ🙂?', 'C?'].map((text) => rowOf(['no', 't', text, 'a', 'b']))),
      },
    });
    const whole = await read(file);
    expect(whole).toHaveLength(3);
    for (const size of [64, 257]) expect(await read(file, { size })).toEqual(whole);
    for (const [place, { end, endLine }] of whole.entries()) {
      const rest = await read(file, { byte: end, rows: place + 1, line: endLine });
      expect(rest).toEqual(whole.slice(place + 1));
    }
  });

  test('has shared and formatted texts, without their phonetic ones', async () => {
    const shared =
      '<si><t>no</t></si><si><r><rPr><b/></rPr><t>A</t></r><r><t xml:space="preserve"> &amp; B?</t></r>' +
      '<rPh><t>x</t></rPh></si><si><t>linje_x000A_skift</t></si><si><t/></si>';
    const cells = [0, 2, 1].map((index) => `<c t="s"><v>${index}</v></c>`).join('');
    const row = `<row>${cells}<c t="inlineStr"><is><t>a</t></is></c><c t="str"><v>b</v></c><c t="s"><v>3</v></c></row>`;
    expect(await valuesOf(xlsxOf({ sheets: { Ark1: sheet(row) }, shared }))).toEqual([
      { ...one, topic: 'linje\nskift', question: 'A & B?' },
    ]);
  });

  test('has the stored value of a formula, numbers as Excel shows them, and dates', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy;@"/><numFmt numFmtId="165" formatCode="&quot;dag&quot; 0"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="9"/></cellXfs>';
    const values = (cells: string) =>
      valuesOf(
        xlsxOf({
          sheets: { Ark1: sheet(`<row>${rowOf(['no', 't', 'A?']).slice(6, -6)}${cells}</row>`) },
          styles,
        }),
      );
    expect(
      await values(
        '<c><f>1800+14</f><v>1814</v></c><c><v>0.30000000000000004</v></c><c s="1"><v>46037</v></c>',
      ),
    ).toEqual([{ ...one, answer: '1814', incorrect: ['0.3'], checked_at: '2026-01-15' }]);
    expect(
      await values('<c s="3"><v>5</v></c><c s="4"><v>0.07</v></c><c s="2"><v>46037.75</v></c>'),
    ).toEqual([{ ...one, answer: '5', incorrect: ['7 %'], checked_at: '2026-01-15' }]);
    expect(
      await values(
        '<c t="b"><v>1</v></c><c t="e"><v>#REF!</v></c><c t="d"><v>2026-01-15T00:00:00</v></c>',
      ),
    ).toEqual([{ ...one, answer: 'TRUE', incorrect: ['#REF!'], checked_at: '2026-01-15' }]);
  });

  test('says which cells are numbers, dates, percent and truth values', async () => {
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/></cellXfs>';
    const cells =
      '<c><v>1814</v></c><c s="1"><v>46037</v></c><c s="1"><v>0.5</v></c><c s="2"><v>0.075</v></c>' +
      '<c t="b"><v>0</v></c><c t="str"><v>7</v></c>';
    const merged = '<mergeCells><mergeCell ref="B2:B3"/></mergeCells>';
    const rows = `<row>${cells}</row><row><c t="str"><v>x</v></c></row>`;
    const found = await read(
      xlsxOf({ sheets: { Ark1: sheetOf(rowOf(HEADINGS) + rows, merged) }, styles }),
    );
    expect(found.map((row) => [row.cells, row.kinds])).toEqual([
      [
        ['1814', '2026-01-15', '0.5', '7.5 %', 'FALSE', '7'],
        { 0: 'number', 1: 'date', 2: 'number', 3: 'percent', 4: 'boolean' },
      ],
      [['x', '2026-01-15'], { 1: 'date' }],
    ]);
  });

  test('has the last of two cells with one name, and its kind', async () => {
    const twice = '<c r="A2"><v>1</v></c><c r="A2" t="inlineStr"><is><t>x</t></is></c>';
    const found = await read(
      xlsxOf({ sheets: { Ark1: sheetOf(`${rowOf(HEADINGS)}<row r="2">${twice}</row>`) } }),
    );
    expect(found.map((row) => [row.cells, row.kinds])).toEqual([[['x'], {}]]);
  });

  test('that counts days from 1904 has the same dates', async () => {
    const row = `<row>${rowOf(['no', 't', 'A?', 'a', 'b']).slice(6, -6)}<c s="0"><v>44575</v></c></row>`;
    const file = xlsxOf({
      sheets: { Ark1: sheet(row) },
      styles: '<cellXfs><xf numFmtId="14"/></cellXfs>',
      workbookPr: '<workbookPr date1904="1"/>',
    });
    expect(await valuesOf(file)).toEqual([{ ...one, checked_at: '2026-01-15' }]);
  });

  test('gives each row of merged cells their text', async () => {
    const rows = [rowOf(HEADINGS, 'r="1"'), rowOf(['no', 't', 'A?', 'a', 'b'], 'r="2"')];
    const cell = (at: string, text: string) =>
      `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
    for (const [number, text] of [
      [3, 'B?'],
      [4, 'C?'],
    ] as const) {
      rows.push(
        `<row r="${number}">${cell(`C${number}`, text)}${cell(`D${number}`, 'a')}${cell(`E${number}`, 'b')}</row>`,
      );
    }
    const merged = '<mergeCells><mergeCell ref="A2:A4"/><mergeCell ref="B2:B3"/></mergeCells>';
    const values = await valuesOf(xlsxOf({ sheets: { Ark1: sheetOf(rows.join(''), merged) } }));
    expect(values).toEqual([
      one,
      { ...one, question: 'B?' },
      { ...one, question: 'C?', topic: undefined },
    ]);
  });

  test('has its first visible sheet read, or the one that is chosen', async () => {
    const parts = partsOf({
      sheets: {
        Skjult: sheet(),
        Ark1: sheet(plain),
        Annet: sheet(rowOf(['no', 't', 'B?', 'a', 'b'])),
      },
    });
    parts[0]!.content = String(parts[0]!.content).replace(
      'sheetId="1"',
      'sheetId="1" state="hidden"',
    );
    const file = zipOf(parts);
    expect(await readSheetNames(openOf(file, 1_000), file.length)).toEqual([
      'Ark1',
      'Annet',
      'Skjult',
    ]);
    expect(await valuesOf(file)).toEqual([one]);
    expect(await valuesOf(file, { sheet: 'Annet' })).toEqual([{ ...one, question: 'B?' }]);
    expect(await refusalOf(file, { sheet: 'Ark9' })).toBe('no_such_sheet');
  });
});

test('a row of many large texts of its own is rejected', async () => {
  const row = rowOf(Array.from({ length: 40 }, () => 'x'.repeat(100_000)));
  const found = await read(xlsxOf({ sheets: { Ark1: sheet(row, plain) } }));
  expect(found.map(({ line, fault, cells }) => [line, fault, cells?.length])).toEqual([
    [2, 'too_large', undefined],
    [3, undefined, 5],
  ]);
});

describe('a workbook is refused', () => {
  const good = { sheets: { Ark1: sheet(plain) } };
  const text = (size: number) => 'x'.repeat(size);
  const damaged = xlsxOf(good).fill(7, 60, 90);
  const encrypted = partsOf(good).map((part) => ({ ...part, flags: 1 }));
  const ole = (content: string) =>
    Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.alloc(70_000),
      Buffer.from(content, 'utf16le'),
    ]);
  const entity = `<!DOCTYPE x [<!ENTITY a "${text(1000)}"><!ENTITY b "&a;&a;">]>`;

  test.each<[string, () => Buffer, string]>([
    ['that is cut', () => xlsxOf(good).subarray(0, -30), 'not_xlsx'],
    ['that is damaged', () => damaged, 'not_xlsx'],
    ['that is another zip file', () => zipOf([{ name: 'a.txt', content: 'x' }]), 'not_xlsx'],
    ['that is not XML', () => xlsxOf({ sheets: { Ark1: '<worksheet><row>' } }), 'not_xlsx'],
    ['that defines entities', () => xlsxOf({ sheets: { Ark1: entity } }), 'not_xlsx'],
    [
      'that refers to a text that it lacks',
      () => xlsxOf({ sheets: { Ark1: sheet('<row><c t="s"><v>9</v></c></row>') } }),
      'not_xlsx',
    ],
    [
      'that refers to half a text',
      () =>
        xlsxOf({
          sheets: { Ark1: sheet('<row><c t="s"><v>0.5</v></c></row>') },
          shared: '<si><t>x</t></si>',
        }),
      'not_xlsx',
    ],
    ['without rows', () => xlsxOf({ sheets: { Ark1: sheetOf('') } }), 'empty'],
    ['without headings', () => xlsxOf({ sheets: { Ark1: sheetOf(plain) } }), 'csv_header'],
    ['without sheets', () => xlsxOf({ sheets: {} }), 'no_such_sheet'],
    ['with a password', () => ole('EncryptedPackage'), 'xlsx_encrypted'],
    ['whose parts have a password', () => zipOf(encrypted), 'xlsx_encrypted'],
    ['of before 2007', () => ole('Workbook'), 'xls'],
    [
      'of more than 50 MB',
      () => Buffer.concat([xlsxOf(good), Buffer.alloc(50 * 1024 ** 2)]),
      'xlsx_too_large',
    ],
    [
      'that lies about the size of a part',
      () => zipOf(partsOf(good).map((part) => ({ ...part, declaredSize: 10 }))),
      'not_xlsx',
    ],
    [
      'with a text without end',
      () => xlsxOf({ sheets: { Ark1: sheet(rowOf([text(6_000_000)])) } }),
      'xlsx_too_large',
    ],
    [
      'with more merged cells than a person makes',
      () =>
        xlsxOf({
          sheets: {
            Ark1: sheetOf(rowOf(HEADINGS) + plain, '<mergeCell ref="A1:B2"/>'.repeat(10_001)),
          },
        }),
      'xlsx_too_large',
    ],
  ])('%s', async (_name, file, reason) => {
    expect(await refusalOf(file())).toBe(reason);
  });

  test('that is not one, by its first bytes', async () => {
    expect(await refusalOf(Buffer.from('Språk;Tema'))).toBe('not_xlsx');
  });
});
