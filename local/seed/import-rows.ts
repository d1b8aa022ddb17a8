import { randomUUID } from 'node:crypto';
import type { Database } from '@proveklar/services/database/pool.ts';
import { READING } from '@proveklar/services/imports/end-import.ts';
import { processImport, withImportLock } from '@proveklar/services/imports/process-import.ts';
import {
  type ImportSummary,
  readWholeReport,
  type ReportedRow,
  waitForImport,
} from '@proveklar/services/imports/read-imports.ts';
import { beginImport, receiveFile } from '@proveklar/services/imports/receive-import.ts';

// Questions that are at hand go into the bank as an administrator's file does: they are sent, and then
// worked on here, because the seed and the tests run where no worker may be.

interface ImportResult {
  import_id: string;
  imported: number;
  /** Rows whose question is in the bank already, in the same language. */
  duplicates: number;
  rejected: Pick<ReportedRow, 'row' | 'faults'>[];
}

/**
 * Imports questions, pending validation.
 *
 * @param rows as of an import file, unchecked
 * @param importedBy the name of the program, for the history and the audit log
 */
export async function importRows(
  db: Database,
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  importedBy: string,
): Promise<ImportResult> {
  const id = randomUUID();
  await beginImport(db, {
    id,
    importedBy,
    format: 'json',
    dryRun: false,
    onDuplicate: 'skip',
    fileName: null,
    bytesTotal: null,
  });
  await receiveFile(db, { id, importedBy }, toJsonArray(rows));
  const { state, imported, duplicates, rejected } = await finishImport(db, id);
  if (state !== 'completed') throw new Error(`The import ${id} is ${state}`);
  return {
    import_id: id,
    imported,
    duplicates,
    rejected: rejected > 0 ? await readRejected(db, id) : [],
  };
}

async function readRejected(db: Database, importId: string): Promise<ImportResult['rejected']> {
  const rejected: ReportedRow[] = [];
  for await (const rows of readWholeReport(db, importId)) {
    rejected.push(...rows.filter(({ outcome }) => outcome === 'rejected'));
  }
  return rejected;
}

async function* toJsonArray(
  rows: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<Buffer> {
  let before = '[';
  for await (const row of rows) {
    yield Buffer.from(`${before}${JSON.stringify(row)}`);
    before = ',\n';
  }
  yield Buffer.from(before === '[' ? '[]' : ']');
}

/** So long it is left to the worker that holds the lock. */
const LOCK_WAIT_S = 0.1;

/** Works on an import whose file is here until it has ended; a worker may do that at the same time. */
export async function finishImport(db: Database, importId: string): Promise<ImportSummary> {
  for (;;) {
    await workOn(db, importId);
    const found = await waitForImport(db, importId, LOCK_WAIT_S);
    if (!READING.some((state) => state === found.state)) return found;
    // One that lost its worker goes first.
    const { rows } = await db.query<{ id: string }>(
      'select id from question_import where state = any ($1) and bytes_done > 0',
      [READING],
    );
    for (const { id } of rows) await workOn(db, id);
  }
}

async function workOn(db: Database, importId: string): Promise<void> {
  await withImportLock(db, importId, () => processImport(db, importId, async () => {}));
}
