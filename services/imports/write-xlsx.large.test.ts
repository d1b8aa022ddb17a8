import { expect, test } from 'vitest';
import { writeXlsx, type XlsxCell } from './write-xlsx.ts';

const HEADINGS = ['language', 'topic', 'question', 'answer', 'incorrect_1', 'checked_at', 'Årsak'];

async function* each(rows: Iterable<readonly XlsxCell[]>) {
  yield* rows;
}

const text = (...texts: string[]): XlsxCell[] => texts.map((one) => ({ text: one }));

test('a workbook of 100,000 rows is written with little memory', async () => {
  const long = 'Et svar som er langt nok. '.repeat(20);
  let peak = 0;
  const rows = (function* () {
    for (let row = 0; row < 100_000; row += 1) {
      if (row % 5_000 === 0) {
        const { heapUsed, external } = process.memoryUsage();
        peak = Math.max(peak, heapUsed + external);
      }
      yield text('no', 'Historie', `${row}?`, long, long, '', `Rad ${row}: ${row * 7919}`);
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
