import type { Database } from '#database/pool.ts';
import { restoreUpdated } from './undo-rows.ts';

const BATCH = 5_000;

/** Removes what an import put into the bank and nobody has seen, some thousand rows at a time. */
export async function removeRows(db: Database, importId: string): Promise<void> {
  // One that was cancelled at its end has updated some already.
  await restoreUpdated(db, importId);
  await db.query('delete from import_update where import_id = $1', [importId]);
  for (;;) {
    const { rowCount } = await db.query(
      `delete from question where id in (
         select id from question where import_id = $1 limit ${BATCH})`,
      [importId],
    );
    if (!rowCount) return;
  }
}
