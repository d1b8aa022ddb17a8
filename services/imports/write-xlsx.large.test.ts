import { expect, test } from 'vitest';
import { writeXlsx, type XlsxCell } from './write-xlsx.ts';

const HEADINGS = ['language', 'topic', 'question', 'answer', 'incorrect_1', 'checked_at', 'Årsak'];

async function* each(rows: Iterable<readonly XlsxCell[]>) {
  yield* rows;
}

const text = (...texts: string[]): XlsxCell[] => texts.map((one) => ({ text: one }));

test('a workbook of 100,000 rows is written with little memory', async () => {
  // A text of its own for each row, so that rows that are kept are seen. V8 would store a repeated one in parts.
  const longOf = (row: number) => Buffer.from(`Et svar til rad ${row}. `.repeat(20)).toString();
  let peak = 0;
  const rows = (function* () {
    for (let row = 0; row < 100_000; row += 1) {
      if (row % 5_000 === 0) {
        const { heapUsed, external } = process.memoryUsage();
        peak = Math.max(peak, heapUsed + external);
      }
      yield text(
        'no',
        'Historie',
        `${row}?`,
        longOf(row),
        longOf(row),
        '',
        `Rad ${row}: ${row * 7919}`,
      );
    }
  })();
  const { heapUsed, external } = process.memoryUsage();
  let size = 0;
  for await (const piece of writeXlsx({ name: 'Ark', headings: HEADINGS, rows: each(rows) }))
    size += piece.length;
  // The rows have more than 100 MB.
  expect(size).toBeGreaterThan(1_000_000);
  expect(peak - heapUsed - external).toBeLessThan(80 * 1024 ** 2);
});
