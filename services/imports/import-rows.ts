import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import type { Database } from '#database/pool.ts';
import { READING } from '#imports/end-import.ts';
import { processImport, withImportLock } from '#imports/process-import.ts';
import { type ImportSummary, waitForImport } from '#imports/read-imports.ts';
import { readWholeReport, type ReportedRow } from '#imports/read-report.ts';
import { beginImport, receiveFile } from '#imports/receive-import.ts';

// Imports rows in the same way as an administrator's file: sends them, and then processes the import in this
// process, because the seed and the tests may run without workers.

interface ImportResult {
  import_id: string;
  imported: number;
  /** Rows whose question is already in the bank, in the same language. */
  duplicates: number;
  rejected: Pick<ReportedRow, 'row' | 'faults'>[];
}

/**
 * Imports questions, pending validation.
 *
 * @param rows rows of an import file, not validated
 * @param importedBy the name of the program, for the history and the audit log
 * @param signal stops it after the current batch
 * @throws the signal's reason
 */
export async function importRows(
  db: Database,
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  importedBy: string,
  signal?: AbortSignal,
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
  const { state, imported, duplicates, rejected } = await finishImport(db, id, signal);
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

/** How long to wait for a worker that holds the import lock. */
const LOCK_WAIT_S = 0.1;

/**
 * Processes a received import until it has ended, or is undone. A worker may process it at the same time.
 *
 * @param signal stops it after the current batch
 * @throws the signal's reason
 */
export async function finishImport(
  db: Database,
  importId: string,
  signal?: AbortSignal,
): Promise<ImportSummary> {
  for (;;) {
    signal?.throwIfAborted();
    await workOn(db, importId, signal);
    const summary = await waitForImport(db, importId, LOCK_WAIT_S);
    // Another import had the lock, which `waitForImport` does not wait for.
    if (summary.state === 'undoing') await sleep(LOCK_WAIT_S * 1_000);
    else if (!READING.some((state) => state === summary.state)) return summary;
    // An interrupted import has to be resumed first.
    const { rows } = await db.query<{ id: string }>(
      'select id from question_import where state = any ($1) and bytes_done > 0',
      [READING],
    );
    for (const { id } of rows) await workOn(db, id, signal);
  }
}

async function workOn(db: Database, importId: string, signal?: AbortSignal): Promise<void> {
  await withImportLock(db, importId, () => processImport(db, importId, signal));
}
