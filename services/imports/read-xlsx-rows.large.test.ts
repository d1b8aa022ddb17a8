import { describe, expect, test } from 'vitest';
import { openOf, partsOf, rowOf, sheetOf, xlsxOf, zipOf } from '@proveklar/tests/support/xlsx.ts';
import { batchRows } from './batch-rows.ts';
import { FROM_START, RefusedFile } from './file-rows.ts';
import { readRows } from './read-rows.ts';

// Workbooks that are small, and large once they are unpacked.

const HEADINGS = ['Språk', 'Tema', 'Spørsmål', 'Riktig svar', 'Galt svar 1', 'Sist sjekket'];

/** Reads rows in passing; returns their faults and how much memory that took. */
async function pass(file: Buffer) {
  const { rows } = readRows({ open: openOf(file, 64 * 1024), format: 'xlsx' }, FROM_START);
  const used = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  const seen = { rows: 0, faults: new Set<unknown>(), growth: 0, refusal: '' };
  try {
    for await (const some of rows) {
      seen.rows += some.length;
      for (const { fault } of some) seen.faults.add(fault);
      seen.growth = Math.max(seen.growth, used() - before);
    }
  } catch (error) {
    if (!(error instanceof RefusedFile)) throw error;
    seen.refusal = error.refusal.reason;
  }
  return seen;
}

describe('a text that stands in many cells', () => {
  /** A workbook whose rows have one text in each of some cells. */
  const repeating = (size: number, { rows, cells }: { rows: number; cells: number }) => {
    const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(cells)}</row>`;
    return zipOf([
      ...partsOf({
        sheets: { Ark1: '' },
        shared: `<si><t>${'x'.repeat(size)}</t></si>`,
      }).slice(0, -1),
      {
        name: 'xl/worksheets/sheet0.xml',
        content: sheetOf(rowOf(HEADINGS) + row.repeat(rows)),
      },
    ]);
  };

  test('makes a row of more than 2.5 MB, which is rejected, and costs no memory', async () => {
    const seen = await pass(repeating(1_000_000, { rows: 20_000, cells: 3 }));
    expect(seen).toMatchObject({ rows: 20_000, faults: new Set(['too_large']), refusal: '' });
    expect(seen.growth).toBeLessThan(60 * 1024 ** 2);
  });

  test('is refused beyond 1 GB in all, before it is in memory', async () => {
    const seen = await pass(repeating(1_000_000, { rows: 2_000, cells: 2 }));
    expect(seen.refusal).toBe('xlsx_too_large');
    expect(seen.rows).toBeGreaterThan(500);
    // Texts that are not needed any more wait for the garbage collector.
    expect(seen.growth).toBeLessThan(400 * 1024 ** 2);
  });

  test('because its cells are merged, counts in each', async () => {
    const text = `<row><c t="inlineStr"><is><t>${'x'.repeat(2_000_000)}</t></is></c></row>`;
    const rest = '<row><c r="C1"><v>1</v></c></row>'.repeat(2_000);
    const merged = '<mergeCells><mergeCell ref="A2:A2001"/></mergeCells>';
    const rows = sheetOf(rowOf(HEADINGS) + text + rest, merged);
    const seen = await pass(xlsxOf({ sheets: { Ark1: rows } }));
    expect(seen.refusal).toBe('xlsx_too_large');
    expect(seen.growth).toBeLessThan(60 * 1024 ** 2);
  });

  test('makes batches that fit in memory', async () => {
    const { rows } = readRows(
      { open: openOf(repeating(1_000_000, { rows: 100, cells: 1 }), 64 * 1024), format: 'xlsx' },
      FROM_START,
    );
    const sizes: number[] = [];
    for await (const { size } of batchRows(rows, { ...FROM_START, batch: 0 })) sizes.push(size);
    expect(sizes).toEqual([17, 17, 17, 17, 17, 15]);
  });
});

test('a workbook that unpacks to more than 500 MB is refused before it is in memory', async () => {
  // Few rows with much white space between them, which is quick to read.
  const rows = `<row/>${' '.repeat(1024 ** 2)}`;
  const bomb = zipOf([
    ...partsOf({ sheets: { Ark1: '' } }).slice(0, 2),
    { name: 'xl/worksheets/sheet0.xml', content: Buffer.alloc(501 * 1024 ** 2, rows) },
  ]);
  expect(bomb.length).toBeLessThan(2_000_000);
  const before = process.memoryUsage().arrayBuffers;
  expect((await pass(bomb)).refusal).toBe('xlsx_too_large');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1024 ** 2);
});
