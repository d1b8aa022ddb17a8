// What the CSV files of questions and of the glossary have in common.

/** A spreadsheet in Norwegian writes semicolons. */
const DELIMITERS = [';', ',', '\t'];

export interface CsvHeader {
  delimiter: string;
  columns: string[];
}

/**
 * Reads the first line of a file, which names the columns, in any order. The delimiter is the most frequent
 * one in it.
 *
 * @returns undefined when a required column is missing, or one is unknown or repeated
 */
export function parseHeader(
  line: string,
  { known, required }: { known: readonly string[]; required: readonly string[] },
): CsvHeader | undefined {
  const text = line.replace(/^\uFEFF/, '').trim();
  const delimiter = delimiterOf(text);
  const columns = text
    .split(delimiter)
    .map((name) => name.trim().replaceAll(/^"|"$/g, '').toLowerCase());
  const isUsable =
    required.every((name) => columns.includes(name)) &&
    columns.every((name) => known.includes(name)) &&
    new Set(columns).size === columns.length;
  return isUsable ? { delimiter, columns } : undefined;
}

/** The delimiter of a file: the most frequent one in its first line. */
export function delimiterOf(line: string): string {
  return DELIMITERS.toSorted((a, b) => line.split(b).length - line.split(a).length)[0]!;
}

/**
 * How our files are written: Excel with Norwegian settings opens them with a column for each field. It takes a file
 * for UTF-8 only when it begins with the mark. A line feed in a cell is quoted, too, which is not the end of a line here.
 */
export const EXCEL_CSV = {
  delimiter: ';',
  record_delimiter: 'windows',
  quote_record_delimiter: true,
} as const;
export const BYTE_ORDER_MARK = '\uFEFF';

/** Between the values of a cell that holds several, such as tags. */
export const VALUE_SEPARATOR = '|';

// CSV injection: a spreadsheet runs a cell that starts with one of these signs as a formula. This is OWASP's
// list (https://owasp.org/www-community/attacks/CSV_Injection), including the full-width signs, which some
// spreadsheets treat the same. An apostrophe before it makes the cell text. Reading removes the apostrophe,
// so a text that starts with an apostrophe and such a sign gets another one.
const SIGNS = '=+\\-@\\t\\r\\n＝＋－＠';
const FORMULA = new RegExp(`^'*[${SIGNS}]`);
const GUARDED = new RegExp(`^'(?='*[${SIGNS}])`);

/** Whether a spreadsheet may run a cell with this text as a formula. */
export const isLikeFormula = (text: string) => FORMULA.test(text);

/** A text as a cell that no spreadsheet runs as a formula. */
export function guardCell(text: string): string {
  return isLikeFormula(text) ? `'${text}` : text;
}

/** The text of a cell that `guardCell` wrote. */
export function unguardCell(cell: string): string {
  return cell.replace(GUARDED, '');
}
