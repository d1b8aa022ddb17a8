import { guardCell, unguardCell, VALUE_SEPARATOR } from '#csv/csv.ts';

/** Wrong answers in a CSV row, each in its own column. */
const MAX_INCORRECT = 9;

const INCORRECT = Array.from({ length: MAX_INCORRECT }, (_, index) => `incorrect_${index + 1}`);

/** The columns of an exported CSV file. An import accepts them in any order. */
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

/** Without one of these columns no row is valid. */
export const REQUIRED_COLUMNS = ['language', 'topic', 'question', 'answer', 'incorrect_1'];

/** A row of the JSON format, as far as CSV can express it. */
export interface CsvRow {
  incorrect: readonly string[];
  tags?: readonly string[] | null;
  [field: string]: unknown;
}

/** The cells of a row in the order of `CSV_COLUMNS`, not quoted yet. */
export function toCells(row: CsvRow): string[] {
  return CSV_COLUMNS.map((column) => guardCell(cellOf(row, column)));
}

function cellOf(row: CsvRow, column: string): string {
  const place = INCORRECT.indexOf(column);
  if (place !== -1) return row.incorrect[place] ?? '';
  if (column === 'tags') return (row.tags ?? []).join(VALUE_SEPARATOR);
  const value = row[column];
  return typeof value === 'string' ? value : '';
}

/** The row from its cells, not validated. Empty cells are left out. */
export function fromCells(cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  const incorrect: string[] = [];
  for (const [column, cell] of Object.entries(cells)) {
    const text = unguardCell(cell);
    if (text === '') continue;
    if (column.startsWith('incorrect_')) incorrect.push(text);
    else if (column === 'tags') row.tags = text.split(VALUE_SEPARATOR);
    else row[column] = text;
  }
  if (incorrect.length > 0) row.incorrect = incorrect;
  return row;
}
