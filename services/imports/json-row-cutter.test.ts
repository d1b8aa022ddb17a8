import { describe, expect, test } from 'vitest';
import { type CutRow, JsonRowCutter } from './read-json-rows.ts';
import { MAX_ROW_BYTES, RefusedFile } from './file-rows.ts';

interface Cut extends Omit<CutRow, 'bytes'> {
  text: string | undefined;
}

/** Cuts a file that arrives in pieces of a size; from a byte on, if given. */
function cut(file: string | Buffer, size = 1_000_000, from = 0, line = 1): Cut[] {
  const bytes = Buffer.from(file);
  const cutter = new JsonRowCutter(from, line);
  const rows: CutRow[] = [];
  for (let at = from; at < bytes.length; at += size) {
    rows.push(...cutter.push(bytes.subarray(at, Math.min(at + size, bytes.length))));
  }
  cutter.finish();
  return rows.map(({ bytes: row, ...rest }) => ({ ...rest, text: row?.toString() }));
}

const ROWS = [
  '{"a":"x"}',
  '{ "a" : [ { "b" : [] } , {} ] }',
  '{"brackets":"]}[{,"}',
  String.raw`{"escapes":"\"]\\\\\",\\"}`,
  String.raw`"\\"`,
  '"æøå 🙂 \u2028"',
  '""',
  '{}',
  '[]',
  '[[],[1,"]"]]',
  '-1.5e+300',
  '0',
  'true',
  'null',
  'false',
];
const FILE = `\uFEFF \r\n[${ROWS.join(' ,\n\t')} ]\n `;

function refusal(file: string | Buffer, size?: number): unknown {
  try {
    return cut(file, size);
  } catch (error) {
    if (error instanceof RefusedFile) return error.refusal;
    throw error;
  }
}

describe('a JSON array', () => {
  test('is cut into its elements, each with its first and last byte', () => {
    const bytes = Buffer.from(FILE);
    const rows = cut(FILE);
    expect(rows.map(({ text }) => text)).toEqual(ROWS);
    for (const { start, end, text } of rows) {
      expect(bytes.subarray(start, end).toString()).toBe(text);
    }
  });

  test('tells the line of each element', () => {
    const file = '\n[{\n"a":1\n},\n\n"b", 3\n]';
    for (const size of [1, 4, 1_000]) {
      expect(cut(file, size).map(({ line, endLine }) => [line, endLine])).toEqual([
        [2, 4],
        [6, 6],
        [6, 6],
      ]);
    }
  });

  test('gives the same rows in pieces of every size', () => {
    const whole = cut(FILE);
    for (let size = 1; size <= Buffer.byteLength(FILE); size += 1) {
      expect(cut(FILE, size), `pieces of ${size}`).toEqual(whole);
    }
  });

  test('can be resumed at the end of every row', () => {
    const whole = cut(FILE);
    for (const [index, { end, endLine }] of whole.entries()) {
      for (const size of [1, 7, 1_000]) {
        expect(cut(FILE, size, end, endLine)).toEqual(whole.slice(index + 1));
      }
    }
  });

  test.each(['[]', ' [ ] ', '\uFEFF[]'])('may have no elements: %j', (file) => {
    expect(cut(file)).toEqual([]);
  });
});

describe('the limits of a row: size and depth', () => {
  const beside = (row: string) => `[1,${row},2]`;
  test.each<[string, string, CutRow['fault']]>([
    ['2.5 MB', `"${'x'.repeat(MAX_ROW_BYTES - 2)}"`, null],
    ['a byte more', `"${'x'.repeat(MAX_ROW_BYTES - 1)}"`, 'too_large'],
    ['16 deep', `${'['.repeat(16)}${']'.repeat(16)}`, null],
    ['one deeper', `${'['.repeat(17)}${']'.repeat(17)}`, 'too_deep'],
  ])('%s', (_name, row, fault) => {
    const rows = cut(beside(row), 1_000);
    expect(rows.map((one) => one.fault)).toEqual([null, fault, null]);
    expect(rows.map(({ text }) => text)).toEqual(['1', fault ? undefined : row, '2']);
    expect(cut(beside(row))).toEqual(rows);
  });
});

describe('a file that is not a JSON array', () => {
  test.each<[string, string, number]>([
    ['', 'empty', 0],
    [' \n', 'empty', 2],
    ['{}', 'not_an_array', 0],
    [' x', 'not_an_array', 1],
    ['\uFEFFx', 'not_an_array', 3],
    ['[', 'cut_off', 1],
    ['[1', 'cut_off', 2],
    ['[1,', 'cut_off', 3],
    ['[{"a":"', 'cut_off', 7],
    ['[,1]', 'not_json', 1],
    ['[1,,1]', 'not_json', 3],
    ['[1,]', 'not_json', 3],
    ['[1 1]', 'not_json', 3],
    ['["a""b"]', 'not_json', 4],
    ['[{}}]', 'not_json', 3],
    ['[x]', 'not_json', 1],
    ['[\0]', 'not_json', 1],
    ['[1]]', 'more_after_the_end', 3],
    ['[1] x', 'more_after_the_end', 4],
  ])('%j is refused: %s at byte %i', (file, reason, byte) => {
    for (const size of [1, 2, 3, 1_000]) {
      expect(refusal(file, size)).toEqual({ reason, row: null, byte });
    }
  });
});
