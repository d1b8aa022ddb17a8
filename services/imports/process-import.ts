import { importRows } from '#counters/counters.ts';
import { type Database, withTransaction } from '#database/pool.ts';
import { emit } from '#events/outbox.ts';
import {
  requestNearDuplicateSearch,
  deleteNearDuplicates,
} from '#near-duplicates/near-duplicates.ts';
import { applyUpdates } from './apply-updates.ts';
import { type Announce, ImportEnded, READING, refuseImport } from './end-import.ts';
import { deleteAllChunks, readChunks } from './file-chunks.ts';
import { RefusedFile } from './file-rows.ts';
import { type Batch, batchRows, type ImportTarget, insertBatch } from './insert-batch.ts';
import { readCsvRows } from './read-csv-rows.ts';
import { readJsonRows } from './read-json-rows.ts';
import { removeRows, undoRows } from './undo-import.ts';

/**
 * Does whatever is to be done for an import, from wherever an earlier worker left it: reads its file
 * into the bank, completes it, removes the rows of one that was ended, takes one back. Done again it
 * does nothing.
 *
 * Call it inside `withImportLock` only.
 *
 * @param signal ends the reading of a file after the batch under way
 * @throws the signal's reason
 */
export async function processImport(
  db: Database,
  importId: string,
  announce: Announce,
  signal?: AbortSignal,
): Promise<void> {
  let state = await readState(db, importId);
  if (state === 'receiving' || state === 'processing') {
    await removeLeftovers(db, importId, announce);
    if (!(await isRead(db, importId))) await insertBatches(db, importId, announce, signal);
    state = await readState(db, importId);
  }
  if (state === 'processing') {
    await complete(db, importId, announce);
    state = await readState(db, importId);
  }
  if (state === 'undoing') await undo(db, importId, announce);
  else if (state === 'ended') await remove(db, importId, announce);
  // Nothing is left to be read, also when an earlier worker was lost before it cleared away.
  else await deleteAllChunks(db, importId);
}

/** `ended` without questions, and its rows are still there; null when nothing is to be done. */
async function readState(db: Database, importId: string): Promise<string | null> {
  const { rows } = await db.query<{ state: string | null }>(
    `select case
       when state in ('receiving', 'processing', 'undoing') then state
       when state in ('refused', 'cancelled', 'discarded', 'failed') and removed_at is null
         then 'ended' end as state
     from question_import where id = $1`,
    [importId],
  );
  return rows[0]?.state ?? null;
}

/**
 * Rows that are in the bank unseen would count as duplicates. So a dry run that still waits for a
 * word is thrown away, and what was ended is removed first.
 */
async function removeLeftovers(db: Database, importId: string, announce: Announce): Promise<void> {
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
  for (const { id } of rows) await remove(db, id, announce);
}

async function remove(db: Database, importId: string, announce: Announce): Promise<void> {
  await withTransaction(db, announce);
  await removeRows(db, importId);
  await deleteAllChunks(db, importId);
  await withTransaction(db, async (tx) => {
    await tx.query('update question_import set removed_at = clock_timestamp() where id = $1', [
      importId,
    ]);
    await announce(tx);
  });
}

/** A dry run that was confirmed: its file was read to the end, and is gone. */
async function isRead(db: Database, importId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from question_import
     where id = $1 and state = 'processing' and bytes_received > 0
       and not exists (select from import_chunk where import_id = $1)`,
    [importId],
  );
  return Boolean(rowCount);
}

/**
 * Reads the file of an import into the bank, from where an earlier worker stopped. Returns when all
 * of it is there, or the import was ended.
 *
 * @param signal ends it after the batch under way
 * @throws the signal's reason
 */
async function insertBatches(
  db: Database,
  importId: string,
  announce: Announce,
  signal?: AbortSignal,
): Promise<void> {
  const target = await begin(db, importId);
  if (!target) return;
  try {
    await insertFile(db, target, announce, signal);
  } catch (error) {
    if (signal?.aborted) await giveBackAttempt(db, importId);
    if (error instanceof RefusedFile) await refuseImport(db, importId, error.refusal);
    else if (!(error instanceof ImportEnded)) throw error;
  }
}

/**
 * Begun so often without a batch getting in: something in the file ends its workers. A machine in trouble
 * may end them twenty times.
 */
const MAX_ATTEMPTS = 25;

type Target = ImportTarget & { format: 'json' | 'csv' };

async function begin(db: Database, importId: string): Promise<Target | null> {
  const { rows } = await db.query<Target & { state: string }>(
    `update question_import
     set attempts = attempts + 1,
         state = case when attempts >= $2 then 'failed' else state end,
         ended_at = case when attempts >= $2 then clock_timestamp() end
     where id = $1 and state = any ($3)
     returning id, on_duplicate, format, state`,
    [importId, MAX_ATTEMPTS, READING],
  );
  return rows[0] && rows[0].state !== 'failed' ? rows[0] : null;
}

/** Batches on their way into the bank at a time, beside the one that is being read. */
const MAX_INSERTING = 2;
const ANNOUNCE_MS = 250;

/** Reads the file batch by batch; some are on their way into the bank at a time. */
async function insertFile(
  db: Database,
  target: Target,
  announce: Announce,
  signal?: AbortSignal,
): Promise<void> {
  const ledger = await readLedger(db, target.id);
  const open = (byte: number) => readChunks(db, target.id, byte, signal);
  const rows =
    target.format === 'csv' ? readCsvRows(open, ledger) : readJsonRows(open(ledger.byte), ledger);
  const inserting = new Set<Promise<void>>();
  const announceThrottled = throttle(ANNOUNCE_MS, announce);
  try {
    for await (const batch of batchRows(rows, ledger)) {
      signal?.throwIfAborted();
      if (ledger.ahead.has(batch.number)) continue;
      const inserted = insertWithRetry(db, target, batch, announceThrottled);
      inserting.add(inserted);
      // A failure is heard of below.
      inserted.then(
        () => inserting.delete(inserted),
        () => {},
      );
      if (inserting.size >= MAX_INSERTING) await Promise.race(inserting);
    }
    await Promise.all(inserting);
  } finally {
    await Promise.allSettled(inserting);
  }
}

/** How far a file has been read. */
interface Ledger {
  /** The first batch that is not in the bank, and where it begins. */
  batch: number;
  byte: number;
  rows: number;
  /** Later batches that are in the bank all the same: several are on their way at a time. */
  ahead: ReadonlySet<number>;
}

/** Reads where an earlier worker stopped. */
async function readLedger(db: Database, importId: string): Promise<Ledger> {
  const { rows: batches } = await db.query<{ number: number; rows: number; end_byte: number }>(
    'select number, rows, end_byte from import_batch where import_id = $1 order by number',
    [importId],
  );
  const gap = batches.findIndex((batch, index) => batch.number !== index);
  const whole = gap === -1 ? batches : batches.slice(0, gap);
  return {
    batch: whole.length,
    byte: whole.at(-1)?.end_byte ?? 0,
    rows: whole.reduce((sum, batch) => sum + batch.rows, 0),
    ahead: new Set(batches.slice(whole.length).map((batch) => batch.number)),
  };
}

/** Leaves out what comes too soon. What is announced belongs to the transaction, which waits for it. */
function throttle(ms: number, announce: Announce): Announce {
  let last = 0;
  return async (tx) => {
    if (Date.now() - last < ms) return;
    last = Date.now();
    await announce(tx);
  };
}

const DEADLOCK = '40P01';

async function insertWithRetry(
  db: Database,
  target: ImportTarget,
  batch: Batch,
  announce: Announce,
): Promise<void> {
  for (;;) {
    try {
      await withTransaction(db, async (tx) => {
        await insertBatch(tx, target, batch);
        await announce(tx);
      });
      importRows.inc(batch.size);
      return;
    } catch (error) {
      // Two batches with the same questions in another order waited for each other.
      if ((error as { code?: string }).code !== DEADLOCK) throw error;
    }
  }
}

/** Nothing in the file has ended this worker. */
async function giveBackAttempt(db: Database, importId: string): Promise<void> {
  await db.query(
    'update question_import set attempts = greatest(attempts - 1, 0) where id = $1 and state = any ($2)',
    [importId, READING],
  );
}

async function complete(db: Database, importId: string, announce: Announce): Promise<void> {
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
       set state = $2, ended_at = clock_timestamp(), attempts = 0
       where id = $1 and state = 'processing' returning imported`,
      [importId, isDry ? 'checked' : 'completed'],
    );
    if (!ended[0]) return;
    if (!isDry) {
      await requestNearDuplicateSearch(tx, importId, ended[0].imported);
      await emit(tx, 'question.imported', { import_id: importId, imported: ended[0].imported });
    }
    await announce(tx);
  });
  // The planner has to know of a million new rows before the first page of them is asked for.
  if (!isDry) await db.query('analyze question');
}

async function undo(db: Database, importId: string, announce: Announce): Promise<void> {
  await undoRows(db, importId);
  await deleteNearDuplicates(db, importId);
  await withTransaction(db, async (tx) => {
    await tx.query(
      `update question_import set state = 'undone', ended_at = clock_timestamp()
       where id = $1 and state = 'undoing'`,
      [importId],
    );
    await announce(tx);
  });
}

// Any number will do, as long as nothing else of the service takes a lock under it.
const IMPORT_LOCK = 7_461_001;

/**
 * Runs `work` unless another import is being worked on, anywhere. Ends with its connection, so a
 * killed worker lets go.
 *
 * @returns false when it is not this import's turn
 */
export async function withImportLock(
  db: Database,
  importId: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const connection = await db.connect();
  const ignore = () => {};
  connection.on('error', ignore);
  let broken = false;
  try {
    const { rows } = await connection.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1) as taken',
      [IMPORT_LOCK],
    );
    if (!rows[0]?.taken) return false;
    try {
      if (await isAnotherHalfway(db, importId)) return false;
      await work();
      return true;
    } finally {
      await connection.query('select pg_advisory_unlock($1)', [IMPORT_LOCK]).catch(() => {
        broken = true;
      });
    }
  } finally {
    connection.off('error', ignore);
    connection.release(broken);
  }
}

/** One that lost its worker goes on first: its rows, unseen as they are, would count as duplicates. */
async function isAnotherHalfway(db: Database, importId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from question_import
     where id <> $1 and state = any ($2) and bytes_done > 0 limit 1`,
    [importId, READING],
  );
  return Boolean(rowCount);
}
