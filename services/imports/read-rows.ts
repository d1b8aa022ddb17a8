import type { Import } from '@proveklar/contract/imports.ts';
import type { ColumnFault, Columns } from './columns.ts';
import { type FileRow, type ReadFrom, RefusedFile } from './file-rows.ts';
import { isOle, isZip, MAX_XLSX_BYTES, refusalOfOle } from './open-xlsx.ts';
import { readCsvRows } from './read-csv-rows.ts';
import { readJsonRows } from './read-json-rows.ts';
import { readXlsxRows } from './read-xlsx-rows.ts';
import { gunzip, isGzip, skipBytes } from './unpack.ts';

/** What a file is: its first bytes tell, whatever its name says. */
type Container = 'plain' | 'gzip' | 'xlsx';

/** A stored file. */
export interface ImportFile {
  /** The bytes from one on. It waits for those that have not arrived. */
  open: (byte: number) => AsyncIterable<Buffer>;
  /** What the sender says that it is; an .xlsx file is recognised anyway. */
  format: Import['format'];
  /** The field of each column of a table, in place of its headings. */
  chosen?: readonly string[] | null;
  /** The sheet of a workbook; by default the first. */
  sheet?: string | null;
  /** Is told what the columns of a table are, before its first row. */
  onColumns?: (columns: NonNullable<Import['columns']>, fault: ColumnFault | null) => Promise<void>;
  /** Reads the rows also when columns are missing or unknown, to show them. */
  isLenient?: boolean;
}

/** The rows of a file, and how far it has been read. */
export interface RowReading {
  rows: AsyncGenerator<FileRow[]>;
  /** Bytes of the file as it was sent; null where a row's `end` says so. */
  bytesRead: () => number | null;
}

/**
 * Reads the rows of a file that may be packed.
 *
 * @throws RefusedFile
 */
export function readRows(file: ImportFile, from: ReadFrom): RowReading {
  let bytesRead: number | null = null;
  const onRead = (bytes: number) => {
    bytesRead = Math.max(bytesRead ?? 0, bytes);
  };
  return { rows: read(file, from, onRead), bytesRead: () => bytesRead };
}

async function* read(
  file: ImportFile,
  from: ReadFrom,
  onRead: (bytes: number) => void,
): AsyncGenerator<FileRow[]> {
  const { open, format, chosen = null, sheet = null, onColumns, isLenient = false } = file;
  const container = await containerOf(open);
  if (container === 'xlsx') {
    const size = await sizeOf(open);
    onRead(size);
    yield* readXlsxRows(open, size, from, {
      sheet,
      chosen,
      isLenient,
      onColumns: async (columns: Columns, fault) =>
        onColumns?.({ ...columns, delimiter: '', encoding: 'utf-8' }, fault),
    });
    return;
  }
  if (format === 'xlsx') throw new RefusedFile('not_xlsx');
  // A packed file is unpacked from its start again: a gigabyte takes seconds.
  const content =
    container === 'gzip' ? (byte: number) => skipBytes(gunzip(open(0), onRead), byte) : open;
  if (format === 'json') {
    yield* readJsonRows(content(from.byte), from);
    return;
  }
  yield* readCsvRows(content, from, {
    chosen,
    isLenient,
    onFormat: async ({ headings, fields, delimiter, encoding }, fault) =>
      onColumns?.({ headings, fields, delimiter, encoding }, fault),
  });
}

/** The content of a JSON or CSV file, unpacked. */
export async function* readContent(open: ImportFile['open']): AsyncGenerator<Buffer> {
  const container = await containerOf(open);
  yield* container === 'gzip' ? gunzip(open(0)) : open(0);
}

/** @throws RefusedFile for an old or an encrypted Excel file */
async function containerOf(open: ImportFile['open']): Promise<Container> {
  for await (const head of open(0)) {
    if (isZip(head)) return 'xlsx';
    if (isOle(head)) throw await refusalOfOle(open(0));
    return isGzip(head) ? 'gzip' : 'plain';
  }
  return 'plain';
}

/**
 * Waits until the whole file has arrived: the list of parts is at its end.
 *
 * @throws RefusedFile `xlsx_too_large`
 */
async function sizeOf(open: ImportFile['open']): Promise<number> {
  let size = 0;
  for await (const piece of open(0)) {
    size += piece.length;
    if (size > MAX_XLSX_BYTES) throw new RefusedFile('xlsx_too_large');
  }
  return size;
}
