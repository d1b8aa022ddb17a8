import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { recordFigures } from '@proveklar/tests/support/figures.ts';
import { bySize } from '@proveklar/tests/support/settings.ts';
import { partsOf, rowOf, sheetOf, xlsxOf, zipOf } from '@proveklar/tests/support/xlsx.ts';
import { previewFile } from './preview-file.ts';

// A gateway shows the preview, so whatever the file is, other requests must come between.
const MB = 1024 ** 2;
/** Milliseconds of work that other requests may have to wait for. */
const MAX_TURN_MS = 150;
const WORKBOOK_MB = bySize({ quick: 60, large: 60, full: 300 });

const row = (question: string) =>
  JSON.stringify({ language: 'no', topic: 't', question, answer: 'a', incorrect: ['b'] });
const headings = 'language,topic,question,answer,incorrect 1\n';
const many = Array.from({ length: 100_000 }, (_, n) => row(`${n}?`)).join(',');

/** The most that it works without a pause, in milliseconds of processor time, which a busy machine does not lengthen. */
async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.threadCpuUsage();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  // A file that is refused has been read, too.
  await work().catch(() => {});
  // The last turn of it ends only now.
  await nextTurn();
  isOver = true;
  return longest;
}

const cases: [string, 'json' | 'csv' | 'xlsx', () => Buffer][] = [
  ['100,000 rows of JSON', 'json', () => Buffer.from(`[${many}]`)],
  ['40 MB of white space', 'json', () => Buffer.alloc(40 * MB, ' ')],
  [
    'a string of 40 MB',
    'json',
    () => Buffer.concat([Buffer.from('[{"a":"'), Buffer.alloc(40 * MB, 'x')]),
  ],
  ['40 MB of brackets', 'json', () => Buffer.alloc(40 * MB, '[')],
  [
    '40 MB of commas',
    'json',
    () => Buffer.concat([Buffer.from(`[${row('1?')}`), Buffer.alloc(40 * MB, ' ,')]),
  ],
  ['CSV without an end of a line', 'csv', () => Buffer.alloc(40 * MB, 'x')],
  [
    'CSV of quotes',
    'csv',
    () => Buffer.concat([Buffer.from(headings), Buffer.alloc(40 * MB, '"')]),
  ],
  [
    'CSV of commas',
    'csv',
    () => Buffer.concat([Buffer.from(headings), Buffer.alloc(40 * MB, ',')]),
  ],
  [
    'CSV of rows of 2 MB',
    'csv',
    () => Buffer.from(`${headings}${`no,t,${'x'.repeat(2 * MB)},a,b\n`.repeat(20)}`),
  ],
  [
    'CSV of empty lines',
    'csv',
    () => Buffer.concat([Buffer.from(headings), Buffer.alloc(40 * MB, '\n')]),
  ],
  ['a packed file of 100 MB', 'json', () => gzipSync(Buffer.alloc(100 * MB, ' '))],
  [
    `a workbook that unpacks to ${WORKBOOK_MB} MB`,
    'xlsx',
    () =>
      zipOf([
        ...partsOf({ sheets: { Ark1: '' } }).slice(0, 2),
        {
          name: 'xl/worksheets/sheet0.xml',
          content: Buffer.alloc(WORKBOOK_MB * MB, `<row>${'<c/>'.repeat(1000)}</row>`),
        },
      ]),
  ],
  [
    'a workbook of 30,000 rows',
    'xlsx',
    () =>
      xlsxOf({
        sheets: {
          Ark1: sheetOf(
            Array.from({ length: 30_000 }, (_, n) => rowOf([`${n}`, 'a', 'b'])).join(''),
          ),
        },
      }),
  ],
];

test.each(cases)(
  'the preview of %s lets other requests come between',
  async (_name, format, file) => {
    const content = file();
    const longest = await longestTurnOf(() => previewFile(content, { format }));
    recordFigures({ 'longest turn, ms': Math.round(longest) });
    expect(longest).toBeLessThan(MAX_TURN_MS);
  },
);
