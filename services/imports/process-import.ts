// Over 400 lines: an import from its start over each batch to its end, where a killed worker may stop anywhere.

import type { Import } from '@proveklar/contract/imports.ts';
import { importRows } from '#counters/counters.ts';
import { withAdvisoryLock } from '#database/advisory-lock.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { isDeadlock } from '#database/sql-state.ts';
import { emit } from '#events/outbox.ts';
import { findImageIn } from '#images/images.ts';
import { notifyLive } from '#live/live.ts';
import {
  requestNearDuplicateSearch,
  deleteNearDuplicates,
} from '#near-duplicates/near-duplicates.ts';
import { applyUpdates } from './apply-updates.ts';
import { ImportEnded, READING, refuseImport } from './end-import.ts';
import { deleteAllChunks, PAUSE_GRACE_S, readChunks, readStored } from './file-chunks.ts';
import { type Batch, batchRows } from './batch-rows.ts';
import { FROM_START, type ReadFrom, type Refusal, RefusedFile } from './file-rows.ts';
import { BatchBuffers } from './copy-rows.ts';
import { type ImportTarget, insertBatch } from './insert-batch.ts';
import { locateFault } from './locate-fault.ts';
import { readContent, readRows } from './read-rows.ts';
import { TopicNames } from './topic-names.ts';
import { removeRows, undoRows } from './undo-import.ts';

/**
 * Does the work that an import's state asks for, and resumes where an earlier worker stopped: reads the
 * file into the question bank, completes the import, removes the rows of one that was ended, or undoes
 * one. Idempotent.
 *
 * Call it inside `withImportLock` only.
 *
 * @param signal stops the reading of a file, and the undoing of one, after the current batch
 * @throws the signal's reason
 */
export async function processImport(
  db: Database,
  importId: string,
  signal?: AbortSignal,
): Promise<void> {
  let state = await readState(db, importId);
  if (state === 'receiving' || state === 'processing' || state === 'paused') {
    await removeLeftovers(db, importId);
    if (!(await isFileRead(db, importId))) await insertBatches(db, importId, signal);
    state = await readState(db, importId);
  }
  if (state === 'paused') await removeUntilResumed(db, importId);
  // Resumed meanwhile: an event of its own continues.
  if (state === 'paused' || state === 'receiving') return;
  if (state === 'processing') {
    await complete(db, importId);
    state = await readState(db, importId);
  }
  if (state === 'undoing') await undo(db, importId, signal);
  else if (state === 'ended') await remove(db, importId);
  // Nothing is left to read, also when an earlier worker died before it cleaned up.
  else await deleteAllChunks(db, importId);
}

/** `ended`: it ended without importing, and its rows are still there. Null when nothing is to be done. */
async function readState(db: Database, importId: string): Promise<string | null> {
  const { rows } = await db.query<{ state: string | null }>(
    `select case
       when state in ('receiving', 'processing', 'paused', 'undoing') then state
       when state in ('refused', 'cancelled', 'discarded', 'failed') and removed_at is null
         then 'ended' end as state
     from question_import where id = $1`,
    [importId],
  );
  return rows[0]?.state ?? null;
}

/**
 * Discards a dry run that still waits for a decision, and removes the rows of imports that were ended, and of paused
 * uploads: no worker reads those, because it would hold the import lock. These rows are in the bank, hidden, and the
 * next import would count them as duplicates.
 */
async function removeLeftovers(db: Database, importId: string): Promise<void> {
  await db.query(
    `update question_import set state = 'discarded', ended_at = clock_timestamp()
     where state = 'checked' and id <> $1`,
    [importId],
  );
  const { rows } = await db.query<{ id: string }>(
    `select id from question_import
     where state in ('refused', 'cancelled', 'discarded', 'failed') and removed_at is null
       and id <> $1`,
    [importId],
  );
  for (const { id } of rows) await remove(db, id);
  // Also one that was resumed a moment ago: it is read again from its start.
  const { rows: paused } = await db.query<{ id: string }>(
    `select id from question_import
     where state in ('paused', 'receiving') and bytes_done > 0 and id <> $1`,
    [importId],
  );
  for (const { id } of paused) await removeUntilResumed(db, id);
}

async function remove(db: Database, importId: string): Promise<void> {
  await withTransaction(db, notifyProgress);
  await removeRows(db, importId);
  await deleteAllChunks(db, importId);
  await withTransaction(db, async (tx) => {
    await tx.query('update question_import set removed_at = clock_timestamp() where id = $1', [
      importId,
    ]);
    await notifyProgress(tx);
  });
}

/**
 * Removes the rows of a paused upload, which the next import would count as duplicates. Its file stays, and is read again
 * from its start when the upload is resumed.
 */
async function removeUntilResumed(db: Database, importId: string): Promise<void> {
  await removeRows(db, importId);
  await withTransaction(db, async (tx) => {
    await tx.query('delete from import_batch where import_id = $1', [importId]);
    await tx.query(
      `update question_import
       set imported = 0, updated = 0, duplicates = 0, rejected = 0, repeated = 0, differing = 0,
         warned = 0, cleaned = 0, not_offered = '{}', bytes_done = 0, attempts = 0
       where id = $1`,
      [importId],
    );
    await notifyProgress(tx);
  });
}

/** Whether the file was read to its end and deleted: this is a dry run that was confirmed. */
async function isFileRead(db: Database, importId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from question_import
     where id = $1 and state = 'processing' and bytes_received > 0
       and not exists (select from import_chunk where import_id = $1)`,
    [importId],
  );
  return Boolean(rowCount);
}

/**
 * Reads the file of an import into the bank, from where an earlier worker stopped. Returns when all rows
 * are in the bank, or the import was ended.
 *
 * @param signal stops it after the current batch
 * @throws the signal's reason
 */
async function insertBatches(db: Database, importId: string, signal?: AbortSignal): Promise<void> {
  const target = await begin(db, importId);
  if (!target) return;
  try {
    await insertFile(db, target, signal);
  } catch (error) {
    if (signal?.aborted) await uncountAttempt(db, importId);
    if (isInterruption(error) && target.resumable) await pauseSilent(db, importId);
    else if (error instanceof RefusedFile) {
      const refusal = await locate(db, target, error.refusal);
      await refuseImport(db, importId, refusal);
    } else if (!(error instanceof ImportEnded)) throw error;
  }
}

const isInterruption = (error: unknown) =>
  error instanceof RefusedFile && error.refusal.reason === 'interrupted';

/** Pauses an upload whose gateway went away with its sender, unless it was resumed meanwhile. */
async function pauseSilent(db: Database, importId: string): Promise<void> {
  await db.query(
    `update question_import set state = 'paused'
     where id = $1 and state = 'receiving'
       and heard_at < clock_timestamp() - make_interval(secs => ${PAUSE_GRACE_S})`,
    [importId],
  );
}

/** Adds line, column and excerpt to a fault in a JSON file; the file is still there. */
async function locate(db: Database, { id, format }: Target, refusal: Refusal): Promise<Refusal> {
  if (format !== 'json' || refusal.byte === null) return refusal;
  return {
    ...refusal,
    ...(await locateFault(
      readContent(() => readStored(db, id)),
      refusal.byte,
    )),
  };
}

/**
 * After this many attempts without a stored batch, the import fails: something in the file kills its
 * workers. A host in trouble may kill them twenty times.
 */
const MAX_ATTEMPTS = 25;

type Target = ImportTarget & {
  format: Import['format'];
  /** The fields that the sender chose for the columns, and the sheet. */
  chosen: string[] | null;
  sheet: string | null;
  resumable: boolean;
};

async function begin(db: Database, importId: string): Promise<Target | null> {
  const { rows } = await db.query<Target & { state: string }>(
    `update question_import
     set attempts = attempts + 1,
         state = case when attempts >= $2 then 'failed' else state end,
         ended_at = case when attempts >= $2 then clock_timestamp() end
     where id = $1 and state = any ($3)
     returning id, on_duplicate, format, columns->'chosen' as chosen, columns->>'sheet' as sheet,
       resumable, state`,
    [importId, MAX_ATTEMPTS, READING],
  );
  return rows[0] && rows[0].state !== 'failed' ? rows[0] : null;
}

/** Batches that are inserted at the same time, while the next one is being read. */
const MAX_CONCURRENT_INSERTS = 2;
const NOTIFY_INTERVAL_MS = 250;

/** Reads the file batch by batch, and inserts a few batches concurrently. */
async function insertFile(db: Database, target: Target, signal?: AbortSignal): Promise<void> {
  const checkpoint = await readCheckpoint(db, target.id);
  const open = (byte: number) => readChunks(db, target.id, byte, signal);
  const { rows, bytesRead } = readRows(
    { ...target, open, onColumns: (columns) => storeColumns(db, target.id, columns) },
    checkpoint,
  );
  const options = {
    find: findImageIn(db),
    topics: await TopicNames.ofBank(db),
    buffers: new BatchBuffers(),
  };
  const inserting = new Set<Promise<void>>();
  const notify = throttled(NOTIFY_INTERVAL_MS, notifyProgress);
  // As the last batch was: a file has duplicates of the bank throughout, or none.
  let isNew = true;
  try {
    for await (const batch of batchRows(rows, checkpoint, options)) {
      signal?.throwIfAborted();
      if (checkpoint.ahead.has(batch.number)) continue;
      const done = { ...batch, bytesRead: bytesRead() };
      const inserted = insertWithRetry(db, target, done, { isNew, notify }).then((wasNew) => {
        isNew = wasNew;
      });
      inserting.add(inserted);
      // A failure is thrown below, by `Promise.race` or `Promise.all`.
      inserted.then(
        () => inserting.delete(inserted),
        () => {},
      );
      if (inserting.size >= MAX_CONCURRENT_INSERTS) await Promise.race(inserting);
    }
    await Promise.all(inserting);
  } finally {
    await Promise.allSettled(inserting);
  }
}

/** Keeps how a table is written, for the file of its rejected rows. */
async function storeColumns(
  db: Database,
  importId: string,
  columns: NonNullable<Import['columns']>,
): Promise<void> {
  await db.query(
    `update question_import set columns = coalesce(columns, '{}') || $2::jsonb where id = $1`,
    [importId, columns],
  );
}

/** How far a file has been read: where reading resumes. */
interface Checkpoint extends ReadFrom {
  /** The first batch that is missing in the bank; it begins there. */
  batch: number;
  /** Later batches that are in the bank already, because several are inserted concurrently. */
  ahead: ReadonlySet<number>;
}

/** Reads where an earlier worker stopped. */
async function readCheckpoint(db: Database, importId: string): Promise<Checkpoint> {
  const { rows: batches } = await db.query<{
    number: number;
    rows: number;
    end_byte: number;
    end_line: number | null;
  }>(
    'select number, rows, end_byte, end_line from import_batch where import_id = $1 order by number',
    [importId],
  );
  const gap = batches.findIndex((batch, index) => batch.number !== index);
  const whole = gap === -1 ? batches : batches.slice(0, gap);
  const last = whole.at(-1);
  return {
    batch: whole.length,
    byte: last?.end_byte ?? FROM_START.byte,
    line: last ? (last.end_line ?? NaN) : FROM_START.line,
    rows: whole.reduce((sum, batch) => sum + batch.rows, 0),
    ahead: new Set(batches.slice(whole.length).map((batch) => batch.number)),
  };
}

type Notify = (tx: Transaction) => Promise<void>;

/** Tells administrators that an import has progressed, in the transaction that made it so. */
const notifyProgress: Notify = (tx) => notifyLive(tx, [{ topic: 'imports' }]);

/** Skips calls that come too soon after the last. They belong to a transaction, so none can be delayed. */
function throttled(ms: number, notify: Notify): Notify {
  let last = 0;
  return async (tx) => {
    if (Date.now() - last < ms) return;
    last = Date.now();
    await notify(tx);
  };
}

async function insertWithRetry(
  db: Database,
  target: ImportTarget,
  batch: Batch,
  { isNew, notify }: { isNew: boolean; notify: Notify },
): Promise<boolean> {
  for (;;) {
    try {
      const wasNew = await withTransaction(db, async (tx) => {
        const allNew = await insertBatch(tx, target, batch, { isNew });
        await notify(tx);
        return allNew;
      });
      importRows.inc(batch.size);
      batch.good.free();
      return wasNew;
    } catch (error) {
      // Two batches with the same questions in a different order: try again.
      if (!isDeadlock(error)) throw error;
    }
  }
}

/** The worker was stopped from outside, so the attempt says nothing about the file. */
async function uncountAttempt(db: Database, importId: string): Promise<void> {
  await db.query(
    'update question_import set attempts = greatest(attempts - 1, 0) where id = $1 and state = any ($2)',
    [importId, READING],
  );
}

async function complete(db: Database, importId: string): Promise<void> {
  const { rows } = await db.query<{ dry_run: boolean }>(
    'select dry_run from question_import where id = $1',
    [importId],
  );
  const isDry = rows[0]?.dry_run ?? false;
  try {
    if (!isDry) await applyUpdates(db, importId);
  } catch (error) {
    if (error instanceof ImportEnded) return;
    throw error;
  }
  await withTransaction(db, async (tx) => {
    const { rows: ended } = await tx.query<{ imported: number }>(
      `update question_import
       set state = $2, ended_at = clock_timestamp(), attempts = 0,
         read_at = coalesce(read_at, clock_timestamp())
       where id = $1 and state = 'processing' returning imported`,
      [importId, isDry ? 'checked' : 'completed'],
    );
    if (!ended[0]) return;
    if (!isDry) {
      await requestNearDuplicateSearch(tx, importId, ended[0].imported);
      await emit(tx, 'question.imported', { import_id: importId, imported: ended[0].imported });
    }
    await notifyProgress(tx);
  });
  // The planner needs statistics of a million new rows before the first page of them is queried.
  if (!isDry) await db.query('analyze question');
}

async function undo(db: Database, importId: string, signal?: AbortSignal): Promise<void> {
  await undoRows(db, importId, signal);
  await deleteNearDuplicates(db, importId);
  await withTransaction(db, async (tx) => {
    await tx.query(
      `update question_import set state = 'undone', ended_at = clock_timestamp()
       where id = $1 and state = 'undoing'`,
      [importId],
    );
    await notifyProgress(tx);
  });
}

// The key of the advisory lock. Any number will do that no other lock of the service uses.
const IMPORT_LOCK_KEY = 7_461_001;

/**
 * Runs `work` under the advisory lock that lets one import at a time be processed, in all workers.
 *
 * @returns false when another import holds the lock, or has to be resumed first
 */
export async function withImportLock(
  db: Database,
  importId: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const isDone = await withAdvisoryLock(db, IMPORT_LOCK_KEY, async () => {
    if (await isAnotherInterrupted(db, importId)) return false;
    await work();
    return true;
  });
  return isDone === true;
}

/**
 * An interrupted import is resumed first: its hidden rows would count as duplicates in the next one. A paused upload is
 * not waited for, because its sender may never come back, and a worker of a version that knows none has taken it for an
 * import that is over.
 */
async function isAnotherInterrupted(db: Database, importId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from question_import
     where id <> $1 and state in ('receiving', 'processing') and bytes_done > 0 limit 1`,
    [importId],
  );
  return Boolean(rowCount);
}
