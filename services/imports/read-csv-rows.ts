import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { parse as parseAll } from 'csv-parse/sync';
import { delimiterOf } from '#csv/csv.ts';
import { fromCells } from '#questions/csv-format.ts';
import { cellsByField, type ColumnFault, type Columns, readColumns } from './columns.ts';
import {
  type FileRow,
  LineCounter,
  MAX_ROW_BYTES,
  type ReadFrom,
  RefusedFile,
} from './file-rows.ts';

/** The first line, which names the columns, ends within this many bytes. */
const MAX_HEADER_BYTES = 64 * 1024;
const ROWS_AT_A_TIME = 500;
const BYTES_AT_A_TIME = 4 * 1024 * 1024;
/** Of the header; as many as are read of a workbook. */
const MAX_COLUMNS = 200;

/** How a CSV file is written. */
export interface CsvFormat extends Columns {
  delimiter: string;
  /** `windows-1252` is what Excel in Norway writes as "CSV"; it is used for cells that are not UTF-8. */
  encoding: 'utf-8' | 'windows-1252';
  /** Where the first row begins. */
  byte: number;
}

interface CsvOptions {
  /** The field of each column, in place of the headings. */
  chosen?: readonly string[] | null;
  /** Is told how the file is written, before its first row. */
  onFormat?: (format: CsvFormat, fault: ColumnFault | null) => Promise<void>;
  /** Reads the rows also when columns are missing or unknown. */
  isLenient?: boolean;
}

/**
 * Reads the rows of a CSV file (RFC 4180; comma, semicolon or tab), several at a time.
 *
 * @param open returns the file's bytes from the given byte on
 * @throws RefusedFile when the header lacks a required column, or a quote is never closed
 */
export async function* readCsvRows(
  open: (byte: number) => AsyncIterable<Buffer>,
  from: ReadFrom,
  { chosen, onFormat, isLenient = false }: CsvOptions = {},
): AsyncGenerator<FileRow[]> {
  const { format, fault } = await readCsvFormat(open(0), chosen);
  if (fault && !isLenient) throw new RefusedFile('csv_header', { byte: 0, ...fault });
  await onFormat?.(format, fault);
  const isFirst = from.byte <= format.byte;
  const start = isFirst ? format.byte : from.byte;
  const lines = new LineCounter({ byte: start, line: isFirst ? 2 : from.line });
  const parser = parse({
    columns: format.headings.map((_, place) => `${place}`),
    delimiter: format.delimiter,
    info: true,
    encoding: null,
    max_record_size: MAX_ROW_BYTES,
    skip_empty_lines: true,
    // A spreadsheet writes delimiters for rows that were emptied.
    skip_records_with_empty_values: true,
    // Not detected from the first line: reading may begin anywhere.
    record_delimiter: ['\r\n', '\n'],
    // Excel leaves out empty cells at the end of a line.
    relax_column_count_less: true,
  });
  // csv-parse counts a record's bytes without its delimiters: empty cells without end would fill the memory.
  const { state } = parser as unknown as { state: { record: readonly unknown[] } };
  const check = () => {
    if (state.record.length > format.headings.length) throw refused();
  };
  const source = Readable.from(counted(open(start), lines, check), { objectMode: false });
  source.on('error', (error) => parser.destroy(error));
  let rows: FileRow[] = [];
  let row = from.rows;
  let end = start;
  let yielded = start;
  const refused = () =>
    new RefusedFile('not_csv', { row: row + 1, line: orNull(lines.lineOfContentAt(end)) });
  try {
    for await (const entry of source.pipe(parser)) {
      row += 1;
      const { info, record } = entry as { info: Info; record: Record<string, Buffer> };
      const line = lines.lineOfContentAt(end);
      end = start + info.bytes;
      rows.push(toRow(format, record, { end, line, endLine: lines.lineAt(end) }));
      if (rows.length < ROWS_AT_A_TIME && end - yielded < BYTES_AT_A_TIME) continue;
      yield rows;
      rows = [];
      yielded = end;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refused();
  } finally {
    source.destroy();
  }
  if (rows.length > 0) yield rows;
}

const orNull = (line: number) => (Number.isNaN(line) ? null : line);

async function* counted(
  pieces: AsyncIterable<Buffer>,
  lines: LineCounter,
  check: () => void,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    lines.add(piece);
    yield piece;
    check();
  }
}

/**
 * Reads how a file is written from its first line, and which of its columns is which field.
 *
 * @throws RefusedFile `empty`; `not_csv` with more columns than any file of questions has
 */
async function readCsvFormat(
  file: AsyncIterable<Buffer>,
  chosen?: readonly string[] | null,
): Promise<{ format: CsvFormat; fault: ColumnFault | null }> {
  const head = await readHead(file);
  const lineEnd = head.indexOf('\n');
  const first = head.subarray(0, lineEnd === -1 ? head.length : lineEnd);
  const hasMark = first.indexOf(Buffer.from('\uFEFF')) === 0;
  const encoding = hasMark || isEncodedAsUtf8(head) ? 'utf-8' : 'windows-1252';
  const line = decode(first, encoding)!
    .replace(/^\uFEFF/, '')
    .trim();
  if (line === '' && lineEnd === -1) throw new RefusedFile('empty', { byte: 0 });
  const delimiter = delimiterOf(line);
  const headings = splitLine(line, delimiter);
  if (headings.length > MAX_COLUMNS) throw new RefusedFile('not_csv', { row: null, line: 1 });
  const { columns, fault } = readColumns(headings, chosen);
  const byte = lineEnd === -1 ? head.length : lineEnd + 1;
  return { format: { ...columns, delimiter, encoding, byte }, fault };
}

/** Without a byte-order mark, letters outside ASCII near the beginning tell the encoding. */
function isEncodedAsUtf8(head: Buffer): boolean {
  // The last character may be cut.
  const whole = head.subarray(0, head.findLastIndex((byte) => byte < 0x80) + 1);
  return whole.some((byte) => byte >= 0x80) && isUtf8(whole);
}

/** Null for text that is not what the file is written in. */
function decode(bytes: Buffer, encoding: CsvFormat['encoding']): string | null {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  return encoding === 'utf-8' ? null : windows1252.decode(bytes);
}

const windows1252 = new TextDecoder('windows-1252');

function splitLine(line: string, delimiter: string): string[] {
  try {
    const [cells = []] = parseAll(line, { delimiter, relax_column_count: true });
    return cells;
  } catch {
    return line.split(delimiter);
  }
}

async function readHead(file: AsyncIterable<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  for await (const piece of file) {
    head = Buffer.concat([head, piece.subarray(0, MAX_HEADER_BYTES)]);
    if (head.length >= MAX_HEADER_BYTES) break;
  }
  if (head.length === 0) throw new RefusedFile('empty', { byte: 0 });
  return head;
}

function toRow(
  format: CsvFormat,
  record: Record<string, Buffer>,
  place: { end: number; line: number; endLine: number },
): FileRow {
  let isReadable = true;
  const cells = format.headings.flatMap((_, column) => {
    const bytes = record[column];
    if (bytes === undefined) return [];
    const text = decode(bytes, format.encoding);
    isReadable &&= text !== null;
    return [text ?? bytes.toString('utf8')];
  });
  const value = fromCells(cellsByField(format, cells));
  return isReadable ? { ...place, cells, value } : { ...place, cells, fault: 'not_utf8', value };
}
