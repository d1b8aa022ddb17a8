import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { EXCEL_CSV } from './csv.ts';

test.each(['a\nb', 'a\rb', 'a\r\nb', 'a;b', '"a"'])(
  'a cell with %j is one cell of a file',
  (cell) => {
    const rows = [
      [cell, 'x'],
      ['y', cell],
    ];
    expect(parse(stringify(rows, EXCEL_CSV), { delimiter: ';' })).toEqual(rows);
  },
);
