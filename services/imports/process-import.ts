import { withTransaction, type Database } from '#database/pool.ts';
import { emit } from '#events/emit.ts';
import { awaitNearDuplicates, forgetNearDuplicates } from '#near-duplicates/search.ts';
import { applyUpdates } from './apply-updates.ts';
import { deleteAllChunks } from './file-chunks.ts';
import { ImportEnded, type Announce } from './import-state.ts';
import { readFile } from './read-file.ts';
import { removeRows } from './remove-rows.ts';
import { undoRows } from './undo-rows.ts';

/**
 * Does whatever is to be done for an import, from wherever an earlier worker left it: reads its file
 * into the bank, completes it, removes the rows of one that was ended, takes one back. Done again it
 * does nothing.
 *
 * Call it inside `inImportLane` only.
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
    if (!(await isRead(db, importId))) await readFile(db, importId, announce, signal);
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
      await awaitNearDuplicates(tx, importId, ended[0].imported);
      await emit(tx, 'question.imported', { import_id: importId, imported: ended[0].imported });
    }
    await announce(tx);
  });
  // The planner has to know of a million new rows before the first page of them is asked for.
  if (!isDry) await db.query('analyze question');
}

async function undo(db: Database, importId: string, announce: Announce): Promise<void> {
  await undoRows(db, importId);
  await forgetNearDuplicates(db, importId);
  await withTransaction(db, async (tx) => {
    await tx.query(
      `update question_import set state = 'undone', ended_at = clock_timestamp()
       where id = $1 and state = 'undoing'`,
      [importId],
    );
    await announce(tx);
  });
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
