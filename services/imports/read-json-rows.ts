import { isUtf8 } from 'node:buffer';
import { JsonRowCutter, type CutRow } from './json-row-cutter.ts';
import { RefusedFile } from './refused-file.ts';
import type { RowFaultReason } from '#questions/question-row.ts';

/** A row as it stands in the file, unchecked, or why it cannot be read. */
export type FileRow = { end: number } & (
  | { value: unknown; fault?: never }
  | { fault: RowFaultReason }
);

/** Where reading begins: at the start of the file, or after a row that was read before. */
export interface ReadFrom {
  byte: number;
  /** Rows before it. */
  rows: number;
}

/**
 * Reads the rows of a JSON file, some at a time, in the order of the file.
 *
 * @param pieces the file's bytes from `from.byte` on
 * @throws RefusedFile when the file is no JSON array
 */
export async function* readJsonRows(
  pieces: AsyncIterable<Buffer>,
  from: ReadFrom,
): AsyncGenerator<FileRow[]> {
  const cutter = new JsonRowCutter(from.byte);
  let rows = from.rows;
  for await (const piece of pieces) {
    yield cutter.push(piece).map((cut) => {
      rows += 1;
      return parse(cut, rows);
    });
  }
  cutter.finish();
}

function parse({ start, end, bytes, fault }: CutRow, row: number): FileRow {
  if (fault) return { end, fault };
  if (!bytes || !isUtf8(bytes)) return { end, fault: 'not_utf8' };
  const text = bytes.toString('utf8');
  try {
    return { end, value: JSON.parse(text) };
  } catch (error) {
    throw new RefusedFile('not_json', { row, byte: start + faultyByte(text, error) });
  }
}

/** How far into the row the parser came, as it says in its message. */
function faultyByte(text: string, error: unknown): number {
  const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
  return Buffer.byteLength(text.slice(0, Number(position ?? 0)));
}
