/** A question of a CSV file has at most this many wrong answers, each in a column of its own. */
const MAX_INCORRECT = 9;

const INCORRECT = Array.from({ length: MAX_INCORRECT }, (_, index) => `incorrect_${index + 1}`);

const TAG_SEPARATOR = '|';

/** The columns of a CSV file, as an export has them. An import takes them in any order. */
export const CSV_COLUMNS = [
  'language',
  'topic',
  'question',
  'answer',
  ...INCORRECT,
  'explanation',
  'source_url',
  'checked_at',
  'group',
  'tags',
  'uuid',
] as const;

/** Those without which no row could be good. */
export const NEEDED_COLUMNS = ['language', 'topic', 'question', 'answer', 'incorrect_1'];

/** What stands in the bank's own format, a JSON row, as far as CSV can say it. */
export interface CsvRow {
  incorrect: readonly string[];
  tags?: readonly string[] | null;
  [field: string]: unknown;
}

// A spreadsheet takes a cell that begins like this for a formula, and could be made to run it: OWASP's list,
// with the full-width signs, which some take for the others (https://owasp.org/www-community/attacks/CSV_Injection).
// Written with an apostrophe it is text; reading takes the apostrophe away again. So a text that has
// one there itself gets another.
const SIGNS = '=+\\-@\\t\\r\\n＝＋－＠';
const FORMULA = new RegExp(`^'*[${SIGNS}]`);
const GUARDED = new RegExp(`^'(?='*[${SIGNS}])`);

/** The cells of a row in the order of CSV_COLUMNS, not yet quoted. */
export function toCells(row: CsvRow): string[] {
  return CSV_COLUMNS.map((column) => guardCell(cellOf(row, column)));
}

function cellOf(row: CsvRow, column: string): string {
  const place = INCORRECT.indexOf(column);
  if (place !== -1) return row.incorrect[place] ?? '';
  if (column === 'tags') return (row.tags ?? []).join(TAG_SEPARATOR);
  const value = row[column];
  return typeof value === 'string' ? value : '';
}

/** The row that cells stand for, unchecked. Empty cells are left out. */
export function fromCells(cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  const incorrect: string[] = [];
  for (const [column, cell] of Object.entries(cells)) {
    const text = cell.replace(GUARDED, '');
    if (text === '') continue;
    if (column.startsWith('incorrect_')) incorrect.push(text);
    else if (column === 'tags') row.tags = text.split(TAG_SEPARATOR);
    else row[column] = text;
  }
  if (incorrect.length > 0) row.incorrect = incorrect;
  return row;
}

/** A text as a cell that no spreadsheet takes for a formula. */
export function guardCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
