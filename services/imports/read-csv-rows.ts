import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { type CsvHeader, parseHeader } from '#csv/csv.ts';
import { CSV_COLUMNS, fromCells, REQUIRED_COLUMNS } from '#questions/csv-format.ts';
import { type FileRow, MAX_ROW_BYTES, type ReadFrom, RefusedFile } from './file-rows.ts';

/** The first line, which names the columns, ends within this many bytes. */
const MAX_HEADER_BYTES = 64 * 1024;
const ROWS_AT_A_TIME = 500;

interface Header extends CsvHeader {
  /** Where the first row begins. */
  byte: number;
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
): AsyncGenerator<FileRow[]> {
  const header = await readHeader(open(0));
  const start = Math.max(from.byte, header.byte);
  const parser = parse({
    columns: header.columns,
    delimiter: header.delimiter,
    info: true,
    encoding: null,
    max_record_size: MAX_ROW_BYTES,
    skip_empty_lines: true,
    // Not detected from the first line: reading may begin anywhere.
    record_delimiter: ['\r\n', '\n'],
    // Excel leaves out empty cells at the end of a line.
    relax_column_count_less: true,
  });
  const source = Readable.from(open(start), { objectMode: false });
  source.on('error', (error) => parser.destroy(error));
  let rows: FileRow[] = [];
  let row = from.rows;
  try {
    for await (const entry of source.pipe(parser)) {
      row += 1;
      const { info, record } = entry as { info: Info; record: Record<string, Buffer> };
      rows.push(toRow(record, start + info.bytes));
      if (rows.length < ROWS_AT_A_TIME) continue;
      yield rows;
      rows = [];
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new RefusedFile('not_csv', { row: row + 1 });
  } finally {
    source.destroy();
  }
  if (rows.length > 0) yield rows;
}

async function readHeader(file: AsyncIterable<Buffer>): Promise<Header> {
  const head = await readHead(file);
  if (head.length === 0) throw new RefusedFile('empty', { byte: 0 });
  const lineEnd = head.indexOf('\n');
  const line = head.subarray(0, lineEnd === -1 ? head.length : lineEnd).toString('utf8');
  const header = parseHeader(line, { known: CSV_COLUMNS, required: REQUIRED_COLUMNS });
  if (!header) throw new RefusedFile('csv_header', { row: null, byte: 0 });
  return { ...header, byte: lineEnd === -1 ? head.length : lineEnd + 1 };
}

async function readHead(file: AsyncIterable<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  for await (const piece of file) {
    head = Buffer.concat([head, piece.subarray(0, MAX_HEADER_BYTES)]);
    if (head.length >= MAX_HEADER_BYTES || head.includes('\n')) break;
  }
  return head;
}

function toRow(record: Record<string, Buffer>, end: number): FileRow {
  const cells: Record<string, string> = {};
  for (const [column, cell] of Object.entries(record)) {
    if (!isUtf8(cell)) return { end, fault: 'not_utf8' };
    cells[column] = cell.toString('utf8');
  }
  return { end, value: fromCells(cells) };
}
