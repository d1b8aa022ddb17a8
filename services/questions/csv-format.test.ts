import { describe, expect, test } from 'vitest';
import { CSV_COLUMNS, type CsvRow, fromCells, toCells } from './csv-format.ts';

/** The signs that start a formula, by OWASP's list, with line feed and full-width signs. */
const SIGNS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
const STARTS = [...SIGNS, "'", '"', ' ', 'a', 'å', '1', ''];

/** Every beginning of up to three of these characters. */
const BEGINNINGS = STARTS.flatMap((a) => STARTS.flatMap((b) => STARTS.map((c) => a + b + c)));

const roundTrip = (row: CsvRow) => {
  const cells = toCells(row);
  return fromCells(Object.fromEntries(CSV_COLUMNS.map((column, at) => [column, cells[at]!])));
};

describe('a row as CSV cells', () => {
  test('is the same after a round trip, however its texts begin', () => {
    for (const beginning of BEGINNINGS) {
      const text = `${beginning}tekst`;
      const row = {
        language: 'no',
        topic: text,
        question: text,
        answer: `${text}!`,
        incorrect: [text, `${text}?`],
        explanation: text,
        tags: [text, 'b'],
      };
      expect(roundTrip(row)).toEqual(row);
    }
  });

  test('has no cell that a spreadsheet runs as a formula', () => {
    for (const beginning of BEGINNINGS) {
      const cells = toCells({ question: `${beginning}1+1`, incorrect: [] });
      expect(cells.filter((cell) => SIGNS.includes(cell[0] ?? ''))).toEqual([]);
    }
  });
});
