import { setImmediate } from 'node:timers/promises';
import type { Import, ImportPreview } from '@proveklar/contract/imports.ts';
import { CSV_COLUMNS, REQUIRED_COLUMNS } from '#questions/csv-format.ts';
import { batchRows } from './batch-rows.ts';
import type { ColumnFault } from './columns.ts';
import { type FileRow, FROM_START, RefusedFile } from './file-rows.ts';
import { isZip, MAX_XLSX_BYTES } from './open-xlsx.ts';
import { readRows } from './read-rows.ts';
import { readSheetNames } from './read-xlsx-rows.ts';

const ROWS = 5;

interface PreviewRequest {
  format: Import['format'];
  chosen?: readonly string[] | null;
  sheet?: string | null;
}

/**
 * Shows how a file would be read: its columns and first five rows. Nothing is stored.
 *
 * @param content the beginning of a JSON or CSV file, which may be packed; the whole of a workbook
 * @throws RefusedFile when not even one row can be read
 */
export async function previewFile(
  content: Buffer,
  { format, chosen = null, sheet = null }: PreviewRequest,
): Promise<ImportPreview> {
  if (content.length > MAX_XLSX_BYTES) throw new RefusedFile('xlsx_too_large');
  const open = (byte: number) => inPieces(content, byte);
  const isWorkbook = isZip(content);
  let columns: Import['columns'] = null;
  const rows: FileRow[] = [];
  let fault: ColumnFault = { missing: [], unknown: [] };
  const reading = readRows(
    {
      open,
      format,
      chosen,
      sheet,
      isLenient: true,
      onColumns: async (found, columnFault) => {
        columns = found;
        fault = columnFault ?? fault;
      },
    },
    FROM_START,
  );
  try {
    for await (const some of reading.rows) {
      rows.push(...some.slice(0, ROWS - rows.length));
      if (rows.length >= ROWS) break;
    }
  } catch (error) {
    // The beginning of a file ends in the middle of a row.
    if (!(error instanceof RefusedFile) || (rows.length === 0 && columns === null)) throw error;
  }
  return {
    columns,
    fields: [...CSV_COLUMNS],
    missing: fault.missing.filter((name) => REQUIRED_COLUMNS.includes(name)),
    sheets: isWorkbook ? await readSheetNames(open, content.length) : [],
    rows: await checkRows(rows),
  };
}

/** As a file arrives. In one piece, a hostile file would be read to its end before another request. */
const PIECE_BYTES = 64 * 1024;

async function* inPieces(content: Buffer, from: number): AsyncGenerator<Buffer> {
  for (let byte = from; byte < content.length; byte += PIECE_BYTES) {
    yield content.subarray(byte, byte + PIECE_BYTES);
    await setImmediate();
  }
}

async function checkRows(rows: readonly FileRow[]): Promise<ImportPreview['rows']> {
  const pieces = (async function* () {
    yield [...rows];
  })();
  const checked: ImportPreview['rows'] = rows.map((row, place) => ({
    row: place + 1,
    ...textsOf(row.value),
    faults: [],
  }));
  for await (const { bad } of batchRows(pieces, { ...FROM_START, batch: 0 })) {
    for (const { row, faults } of bad) checked[row - 1]!.faults = faults;
  }
  return checked;
}

const MAX_SHOWN = 300;

function textsOf(
  value: unknown,
): Pick<ImportPreview['rows'][number], 'language' | 'topic' | 'question' | 'answer' | 'incorrect'> {
  const row = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const text = (given: unknown) =>
    typeof given === 'string' ? given.slice(0, MAX_SHOWN).toWellFormed() : null;
  const { incorrect } = row;
  return {
    language: text(row.language),
    topic: text(row.topic),
    question: text(row.question),
    answer: text(row.answer),
    incorrect: Array.isArray(incorrect) ? incorrect.slice(0, 9).map((one) => text(one) ?? '') : [],
  };
}
