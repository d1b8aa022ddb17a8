// Over 400 lines: a sheet from its XML to rows, in one pass with one state.
import { fromCells } from '#questions/csv-format.ts';
import { cellsByField, type ColumnFault, type Columns, readColumns } from './columns.ts';
import {
  type CellKind,
  type CellKinds,
  type FileRow,
  MAX_ROW_BYTES,
  type ReadFrom,
  RefusedFile,
} from './file-rows.ts';
import { parseXml, XlsxParts } from './open-xlsx.ts';
import { readSharedStrings, type SharedStrings, TextCollector, unescape } from './xlsx-texts.ts';

// The rows of an Excel workbook. A formula has the value that Excel stored with it; nothing is computed.

/** Columns that are read. */
const MAX_COLUMNS = 200;
const MAX_MERGED_RANGES = 10_000;
/** Of the texts of all cells: one text may stand in millions of them. */
const MAX_TEXT_BYTES = 1024 ** 3;
const BYTES_AT_A_TIME = 4 * 1024 ** 2;

interface XlsxOptions {
  /** The name of the sheet; by default the first. */
  sheet?: string | null;
  /** The field of each column, in place of the headings. */
  chosen?: readonly string[] | null;
  /** Is told the columns, before the first row. */
  onColumns?: (columns: Columns, fault: ColumnFault | null) => Promise<void>;
  /** Reads the rows also when columns are missing or unknown. */
  isLenient?: boolean;
}

/**
 * Reads the rows of a sheet, several at a time. The first row with content has the headings. `line` is the row as
 * Excel numbers it. Positions are characters of the sheet's XML, so reading resumes by reading it again.
 *
 * @param size the bytes of the file, all of which has arrived
 * @throws RefusedFile
 */
export async function* readXlsxRows(
  open: (byte: number) => AsyncIterable<Buffer>,
  size: number,
  from: ReadFrom,
  { sheet, chosen, onColumns, isLenient = false }: XlsxOptions = {},
): AsyncGenerator<FileRow[]> {
  const parts = await XlsxParts.open(open, size);
  const workbook = await readWorkbook(parts);
  const chosenSheet = sheet
    ? workbook.sheets.find(({ name }) => name === sheet)
    : workbook.sheets[0];
  if (!chosenSheet) throw new RefusedFile('no_such_sheet');
  const shared = await readSharedStrings(parts);
  const formats = await readFormats(parts, workbook.is1904);
  const merged = await readMergedRanges(parts, chosenSheet.part);
  let columns: Columns | null = null;
  let rows = 0;
  for await (const read of readSheet(parts, chosenSheet.part, { shared, formats, merged })) {
    const found: FileRow[] = [];
    for (const { number, end, cells, kinds, sharedBytes } of read) {
      if (!columns) {
        if (!cells) throw new RefusedFile('not_xlsx');
        const headings = trimEnd(cells);
        const { columns: recognised, fault } = readColumns(headings, chosen);
        if (fault && !isLenient) throw new RefusedFile('csv_header', { line: number, ...fault });
        await onColumns?.(recognised, fault);
        columns = recognised;
        continue;
      }
      rows += 1;
      if (rows <= from.rows) continue;
      const place = { end, line: number, endLine: number + 1, sharedBytes };
      if (!cells) found.push({ ...place, fault: 'too_large' });
      else found.push({ ...place, cells, kinds, value: fromCells(cellsByField(columns, cells)) });
    }
    if (found.length > 0) yield found;
  }
  if (!columns) throw new RefusedFile('empty');
}

function trimEnd(cells: readonly string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
}

/** The names of the sheets of a workbook, in order. */
export async function readSheetNames(
  open: (byte: number) => AsyncIterable<Buffer>,
  size: number,
): Promise<string[]> {
  const parts = await XlsxParts.open(open, size);
  return (await readWorkbook(parts)).sheets.map(({ name }) => name);
}

interface Workbook {
  /** In the order of the tabs; hidden ones last. */
  sheets: { name: string; part: string }[];
  /** Days are counted from 1904, as old Excel on a Mac did. */
  is1904: boolean;
}

const MAX_SHEETS = 1_000;

async function readWorkbook(parts: XlsxParts): Promise<Workbook> {
  const targets = new Map<string, string>();
  await parseAll(parts.read('xl/_rels/workbook.xml.rels'), (name, { Id, Target }) => {
    if (name === 'Relationship' && Id && Target) targets.set(Id, Target);
  });
  const sheets: { name: string; part: string; isHidden: boolean }[] = [];
  let is1904 = false;
  await parseAll(parts.read('xl/workbook.xml'), (name, attributes) => {
    if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
    if (name !== 'sheet' || sheets.length >= MAX_SHEETS) return;
    const target = targets.get(idOf(attributes) ?? '');
    if (!target) return;
    const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    // A sheet of a chart has no cells.
    if (!parts.has(part) || !part.includes('worksheets/')) return;
    const isHidden = attributes.state !== undefined && attributes.state !== 'visible';
    sheets.push({ name: attributes.name ?? '', part, isHidden });
  });
  return { sheets: sheets.toSorted((a, b) => Number(a.isHidden) - Number(b.isHidden)), is1904 };
}

/** `r:id`, whatever its prefix. */
const idOf = (attributes: Record<string, string>) =>
  Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1];

async function parseAll(
  pieces: AsyncIterable<Buffer>,
  open: (name: string, attributes: Record<string, string>) => void,
): Promise<void> {
  for await (const _ of parseXml(pieces, { open })) continue;
}

/** How a number is shown: as a date, as percent, or as it is. */
type NumberFormat = 'date' | 'percent' | 'number';

interface Formats {
  /** By the cell's style. */
  styles: NumberFormat[];
  is1904: boolean;
}

/** Built-in formats with a date (ECMA-376, part 1, 18.8.30). */
const isDateFormat = (id: number) =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

async function readFormats(parts: XlsxParts, is1904: boolean): Promise<Formats> {
  const styles: NumberFormat[] = [];
  if (!parts.has('xl/styles.xml')) return { styles, is1904 };
  const codes = new Map<number, string>();
  let isCellFormat = false;
  const reading = parseXml(parts.read('xl/styles.xml'), {
    open(name, { numFmtId, formatCode }) {
      const id = Number(numFmtId);
      if (name === 'cellXfs') isCellFormat = true;
      else if (name === 'numFmt') codes.set(id, formatCode ?? '');
      else if (name === 'xf' && isCellFormat) styles.push(formatOf(id, codes.get(id)));
    },
    close(name) {
      if (name === 'cellXfs') isCellFormat = false;
    },
  });
  for await (const _ of reading) continue;
  return { styles, is1904 };
}

function formatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) {
    if (isDateFormat(id)) return 'date';
    return id === 9 || id === 10 ? 'percent' : 'number';
  }
  // Without texts, escaped characters, colours and locales.
  const signs = code.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, '');
  if (/[dy]/i.test(signs)) return 'date';
  return signs.includes('%') ? 'percent' : 'number';
}

interface Range {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

const MERGED = /<(?:\w+:)?mergeCell\s+ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"/g;

/** The ranges of merged cells, which stand behind the rows in the sheet's XML. By their first rows. */
async function readMergedRanges(parts: XlsxParts, part: string): Promise<Range[]> {
  const ranges: Range[] = [];
  let tail = '';
  let size = 0;
  for await (const piece of parts.read(part)) {
    size += piece.length;
    const text = tail + piece.toString('latin1');
    let end = 0;
    for (const match of text.matchAll(MERGED)) {
      const [found, left, top, right, bottom] = match as unknown as string[];
      ranges.push({
        left: columnOf(left!),
        top: Number(top),
        right: columnOf(right!),
        bottom: Number(bottom),
      });
      end = match.index + found!.length;
      if (ranges.length > MAX_MERGED_RANGES) throw new RefusedFile('xlsx_too_large');
    }
    tail = text.slice(Math.max(end, text.length - 100));
  }
  parts.forget(size);
  return ranges.toSorted((a, b) => a.top - b.top);
}

/** A column's letters as a number from 0. */
function columnOf(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number - 1;
}

/** A cell whose text stands in the list of texts, by its place there. */
type RawCell = string | number;

interface RawRow {
  /** From 1. */
  number: number;
  /** The position behind it, in characters. */
  end: number;
  cells: RawCell[];
  kinds: CellKinds | undefined;
  /** Characters of the cells whose texts stand in the sheet; they are not kept once they are too many. */
  length: number;
}

interface SheetRow extends Pick<RawRow, 'number' | 'end' | 'kinds'> {
  /** Null for a row that is too large. */
  cells: string[] | null;
  sharedBytes: number;
}

interface CellContext {
  shared: SharedStrings;
  formats: Formats;
  merged: readonly Range[];
}

/** Reads the rows with content of a sheet. */
async function* readSheet(
  parts: XlsxParts,
  part: string,
  { shared, formats, merged }: CellContext,
): AsyncGenerator<SheetRow[]> {
  const raw: RawRow[] = [];
  let number = 0;
  let cells: RawCell[] = [];
  let kinds: CellKinds | undefined;
  let length = 0;
  let cell = { column: -1, type: '', style: 0 };
  let value = '';
  let isValue = false;
  const inline = new TextCollector();
  const reading = parseXml(parts.read(part), {
    open(name, attributes) {
      if (name === 'row') {
        number = Number(attributes.r ?? number + 1);
        if (!Number.isSafeInteger(number)) throw new RefusedFile('not_xlsx');
        cells = [];
        kinds = undefined;
        length = 0;
        cell.column = -1;
      } else if (name === 'c') {
        const letters = /^[A-Z]{1,3}/.exec(attributes.r ?? '')?.[0];
        const column = letters ? columnOf(letters) : cell.column + 1;
        cell = { column, type: attributes.t ?? 'n', style: Number(attributes.s ?? 0) };
        value = '';
      } else if (name === 'v') isValue = true;
      else inline.open(name);
    },
    text(text) {
      if (isValue) value += text;
      else inline.add(text);
    },
    close(name, position) {
      if (name === 'v') isValue = false;
      else if (name === 'c') {
        const { column, type } = cell;
        const { text, kind } =
          type === 'inlineStr' ? { text: inline.take() } : contentOf(value, cell, formats);
        if (text === '' || column >= MAX_COLUMNS) return;
        if (typeof text === 'string') length += text.length;
        if (length > MAX_ROW_BYTES) return;
        while (cells.length < column) cells.push('');
        cells[column] = text;
        if (kind) (kinds ??= {})[column] = kind;
        // A row may have two cells with one name; the last one counts.
        else if (kinds) delete kinds[column];
      } else if (name === 'row') raw.push({ number, end: position, cells, kinds, length });
      else inline.close(name);
    },
  });
  const fill = new MergedFill(merged);
  let total = 0;
  for await (const _ of reading) {
    // Texts are looked up a few rows at a time: a hundred bytes of a sheet may refer to megabytes of them.
    let rows: SheetRow[] = [];
    let size = 0;
    for (const row of raw.splice(0)) {
      const filled = fillIn(row, shared, fill);
      total += filled.sharedBytes;
      if (total > MAX_TEXT_BYTES) throw new RefusedFile('xlsx_too_large');
      if (filled.cells?.every((text) => text.trim() === '')) continue;
      rows.push(filled);
      size += filled.sharedBytes;
      if (size < BYTES_AT_A_TIME) continue;
      yield rows;
      rows = [];
      size = 0;
    }
    if (rows.length > 0) yield rows;
  }
}

/** A row with the texts that stand elsewhere. */
function fillIn(
  { number, end, cells, kinds, length }: RawRow,
  shared: SharedStrings,
  merged: MergedFill,
): SheetRow {
  let sharedBytes = merged.beginRow(number);
  for (const cell of cells) if (typeof cell === 'number') sharedBytes += shared.sizeOf(cell);
  if (length + sharedBytes > MAX_ROW_BYTES) {
    return { number, end, cells: null, kinds: undefined, sharedBytes: 0 };
  }
  const texts = cells.map((cell) => (typeof cell === 'number' ? shared.get(cell) : cell));
  return { number, end, sharedBytes, ...merged.fill(number, texts, kinds) };
}

/** What a cell has: a text, or the place of one, and what the text is. */
function contentOf(
  value: string,
  { type, style }: { type: string; style: number },
  { styles, is1904 }: Formats,
): { text: RawCell; kind?: CellKind } {
  if (value === '') return { text: '' };
  if (type === 's') return { text: Number(value) };
  if (type === 'b') return { text: value === '1' ? 'TRUE' : 'FALSE', kind: 'boolean' };
  if (type === 'd') return { text: value.slice(0, 10), kind: 'date' };
  if (type !== 'n') return { text: unescape(value) };
  const number = Number(value);
  if (!Number.isFinite(number)) return { text: value };
  const format = styles[style] ?? 'number';
  // Excel shows 15 digits: 0.1 + 0.2 is 0.3 there.
  const shown = (amount: number) => String(Number(amount.toPrecision(15)));
  if (format === 'percent') return { text: `${shown(number * 100)} %`, kind: 'percent' };
  const date = format === 'date' ? dateOf(number, is1904) : null;
  if (date !== null) return { text: date, kind: 'date' };
  return { text: format === 'date' ? String(number) : shown(number), kind: 'number' };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A day as Excel counts them, as 2026-01-31; null for a number that is no day. */
function dateOf(days: number, is1904: boolean): string | null {
  // Excel has a 29 February 1900, which never was; days before it are one less.
  const since1970 = is1904 ? days - 24_107 : days - (days < 60 ? 25_568 : 25_569);
  const date = new Date(Math.floor(since1970) * DAY_MS);
  if (days < 1 || Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return null;
  return date.toISOString().slice(0, 10);
}

/** At most one merged range covers a cell. */
const MAX_ACTIVE_RANGES = 1_000;

/** Gives all cells of a merged range, one under the other, the text of its first one. */
class MergedFill {
  readonly #ranges: readonly Range[];
  #next = 0;
  #active: { range: Range; text: string; kind: CellKind | undefined }[] = [];

  constructor(ranges: readonly Range[]) {
    this.#ranges = ranges;
  }

  /** Ends the ranges above a row. Returns the most bytes that the others may add to it. */
  beginRow(number: number): number {
    this.#active = this.#active.filter(({ range }) => range.bottom >= number);
    return this.#active.reduce((bytes, { text }) => bytes + text.length, 0);
  }

  /** Fills the cells of a row. */
  fill(
    number: number,
    cells: string[],
    kinds: CellKinds | undefined,
  ): { cells: string[]; kinds: CellKinds | undefined } {
    let filled = kinds;
    for (const { range, text, kind } of this.#active) {
      while (cells.length < range.left) cells.push('');
      if (cells[range.left]) continue;
      cells[range.left] = text;
      if (kind) (filled ??= {})[range.left] = kind;
    }
    this.#open(number, cells, filled);
    return { cells, kinds: filled };
  }

  /** Begins the ranges whose first row this is. */
  #open(number: number, cells: readonly string[], kinds: CellKinds | undefined): void {
    for (; this.#ranges[this.#next] && this.#ranges[this.#next]!.top <= number; this.#next += 1) {
      const range = this.#ranges[this.#next]!;
      const text = cells[range.left] ?? '';
      // Merged side by side, they are one cell: the first column has it.
      if (range.top < number || text === '' || range.left >= MAX_COLUMNS) continue;
      this.#active.push({ range, text, kind: kinds?.[range.left] });
    }
    if (this.#active.length > MAX_ACTIVE_RANGES) throw new RefusedFile('not_xlsx');
  }
}
