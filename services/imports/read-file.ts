import { withTransaction, type Database } from '#database/pool.ts';
import { importRows } from '#counters/counters.ts';
import { batchRows } from './batch-rows.ts';
import { refuseImport } from './end-import.ts';
import { readChunks } from './file-chunks.ts';
import { readLedger } from './import-ledger.ts';
import { ImportEnded, READING, type Announce } from './import-state.ts';
import { insertBatch, type Batch, type ImportTarget } from './insert-batch.ts';
import { readCsvRows } from './read-csv-rows.ts';
import { readJsonRows } from './read-json-rows.ts';
import { RefusedFile } from './refused-file.ts';

/** Batches on their way into the bank at a time, beside the one that is being read. */
const INSERTERS = 2;
/**
 * Begun so often without a batch getting in: something in the file ends its workers. A machine in trouble
 * may end them twenty times.
 */
const MOST_ATTEMPTS = 25;
const ANNOUNCE_MS = 250;
const DEADLOCK = '40P01';

/**
 * Reads the file of an import into the bank, from where an earlier worker stopped. Returns when all
 * of it is there, or the import was ended.
 *
 * @param signal ends it after the batch under way
 * @throws the signal's reason
 */
export async function readFile(
  db: Database,
  importId: string,
  announce: Announce,
  signal?: AbortSignal,
): Promise<void> {
  const target = await begin(db, importId);
  if (!target) return;
  try {
    await insertAll(db, target, announce, signal);
  } catch (error) {
    if (signal?.aborted) await giveBackAttempt(db, importId);
    if (error instanceof RefusedFile) await refuseImport(db, importId, error.refusal);
    else if (!(error instanceof ImportEnded)) throw error;
  }
}

type Target = ImportTarget & { format: 'json' | 'csv' };

async function begin(db: Database, importId: string): Promise<Target | null> {
  const { rows } = await db.query<Target & { state: string }>(
    `update question_import
     set attempts = attempts + 1,
         state = case when attempts >= $2 then 'failed' else state end,
         ended_at = case when attempts >= $2 then clock_timestamp() end
     where id = $1 and state = any ($3)
     returning id, on_duplicate, format, state`,
    [importId, MOST_ATTEMPTS, READING],
  );
  return rows[0] && rows[0].state !== 'failed' ? rows[0] : null;
}

/** Nothing in the file has ended this worker. */
async function giveBackAttempt(db: Database, importId: string): Promise<void> {
  await db.query(
    'update question_import set attempts = greatest(attempts - 1, 0) where id = $1 and state = any ($2)',
    [importId, READING],
  );
}

async function insertAll(
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
  const announceSometimes = atMostEvery(ANNOUNCE_MS, announce);
  try {
    for await (const batch of batchRows(rows, ledger)) {
      signal?.throwIfAborted();
      if (ledger.ahead.has(batch.number)) continue;
      const inserted = insert(db, target, batch, announceSometimes);
      inserting.add(inserted);
      // A failure is heard of below.
      inserted.then(
        () => inserting.delete(inserted),
        () => {},
      );
      if (inserting.size >= INSERTERS) await Promise.race(inserting);
    }
    await Promise.all(inserting);
  } finally {
    await Promise.allSettled(inserting);
  }
}

async function insert(
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

function atMostEvery(ms: number, announce: Announce): Announce {
  let last = 0;
  return async (tx) => {
    if (Date.now() - last < ms) return;
    last = Date.now();
    await announce(tx);
  };
}
