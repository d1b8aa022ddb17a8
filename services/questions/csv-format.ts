import { guardCell, unguardCell, VALUE_SEPARATOR } from '#csv/csv.ts';

/** Wrong answers in a CSV row, each in its own column. */
const MAX_INCORRECT = 9;

const PLACES = Array.from({ length: MAX_INCORRECT }, (_, index) => index + 1);
const INCORRECT = PLACES.map((place) => `incorrect_${place}`);
const REASONS = PLACES.map((place) => `incorrect_reason_${place}`);
/** Fields with several values in one cell. */
const LISTS = ['tags', 'excludes'] as const;
const DATES = new Set(['checked_at', 'valid_from']);

/** The columns of an exported CSV file. An import accepts them in any order. */
export const CSV_COLUMNS = [
  'language',
  'topic',
  'question',
  'answer',
  ...INCORRECT,
  ...REASONS,
  'explanation',
  'source_url',
  'source_title',
  'checked_at',
  'valid_from',
  'ages',
  'group',
  'excludes',
  'tags',
  'image',
  'image_alt',
  'areas',
  'uuid',
] as const;

/** Without one of these columns no row is valid. */
export const REQUIRED_COLUMNS = ['language', 'topic', 'question', 'answer', 'incorrect_1'];

/** A row of the JSON format, as far as CSV can express it. */
export interface CsvRow {
  incorrect: readonly string[];
  incorrect_reasons?: readonly (string | null)[] | null;
  tags?: readonly string[] | null;
  excludes?: readonly string[] | null;
  [field: string]: unknown;
}

/** The cells of a row in the order of `CSV_COLUMNS`, not quoted yet. */
export function toCells(row: CsvRow): string[] {
  return CSV_COLUMNS.map((column) => guardCell(cellOf(row, column)));
}

/** The text of a field of a row; empty when the row has none. */
export function cellOf(row: CsvRow, column: string): string {
  const place = INCORRECT.indexOf(column);
  if (place !== -1) return row.incorrect[place] ?? '';
  const reasonPlace = REASONS.indexOf(column);
  if (reasonPlace !== -1) return row.incorrect_reasons?.[reasonPlace] ?? '';
  const list = LISTS.find((name) => name === column);
  if (list) return (row[list] ?? []).join(VALUE_SEPARATOR);
  const value = row[column];
  if (column === 'areas') return value ? JSON.stringify(value) : '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The row from its cells, not validated. Empty cells are left out. */
export function fromCells(cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  const incorrect: string[] = [];
  const reasons: (string | null)[] = [];
  for (const [column, cell] of Object.entries(cells)) {
    const text = unguardCell(cell);
    if (text === '' || REASONS.includes(column)) continue;
    if (column.startsWith('incorrect_')) {
      incorrect.push(text);
      reasons.push(unguardCell(cells[reasonColumnOf(column)] ?? '') || null);
    } else row[column] = valueOf(column, text);
  }
  // A reason beside no wrong answer makes one too many, which is a fault of the row.
  const lost = REASONS.filter((column, place) => cells[column] && !cells[INCORRECT[place]!]);
  reasons.push(...lost.map((column) => unguardCell(cells[column]!)));
  if (incorrect.length > 0) row.incorrect = incorrect;
  if (reasons.some((reason) => reason !== null)) row.incorrect_reasons = reasons;
  return row;
}

const reasonColumnOf = (column: string) => column.replace('incorrect_', 'incorrect_reason_');

function valueOf(column: string, text: string): unknown {
  if (LISTS.some((name) => name === column)) return text.split(VALUE_SEPARATOR);
  if (column === 'areas') return jsonOf(text);
  if (DATES.has(column)) return isoDateOf(text);
  // Text that is not a year is a fault of the row.
  return column === 'ages' && /^\d{4}$/.test(text) ? Number(text) : text;
}

/** A date as spreadsheets in Norway write it, 15.01.2026; other text stays as it is, which may be a fault of the row. */
function isoDateOf(text: string): string {
  const [, day, month, year] = /^\s*(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\s*$/.exec(text) ?? [];
  if (!year) return text;
  const iso = `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
  const date = new Date(iso);
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso);
  return isDay ? iso : text;
}

/** Text that is not JSON stays text, which is a fault of the row. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
