import type { Actor } from '#audit/actor.ts';
import type { Database, Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { withTransaction } from '#database/pool.ts';
import { recordAction } from '#audit/record-action.ts';

/** In this state a search still has something to do. */
export const UNDER_WAY = ['waiting', 'searching'];

/** Notes that what an import has brought is to be looked through, once it is complete. */
export async function awaitNearDuplicates(
  tx: Transaction,
  importId: string,
  imported: number,
): Promise<void> {
  if (imported === 0) return;
  await tx.query(
    'insert into near_duplicate_search (import_id, total) values ($1, $2) on conflict do nothing',
    [importId, imported],
  );
}

/** Forgets what was found for an import: it is taken back. */
export async function forgetNearDuplicates(db: Database, importId: string): Promise<void> {
  await db.query('delete from near_duplicate_search where import_id = $1', [importId]);
}

/**
 * Ends a search before its time. What was found until then stays.
 *
 * @throws AppError `import_not_found`; `import_state` when no search is under way
 */
export async function cancelNearDuplicates(
  db: Database,
  importId: string,
  actor: Actor,
): Promise<void> {
  await withTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `update near_duplicate_search set state = 'cancelled', ended_at = clock_timestamp()
       where import_id = $1 and state = any ($2)`,
      [importId, UNDER_WAY],
    );
    if (!rowCount) throw await whyNot(tx, importId);
    await recordAction(tx, {
      actor,
      action: 'import.near_duplicates_cancelled',
      subject: importId,
    });
  });
}

async function whyNot(tx: Transaction, importId: string): Promise<AppError> {
  const { rows } = await tx.query<{ state: string | null }>(
    `select search.state from question_import
     left join near_duplicate_search search on search.import_id = question_import.id
     where question_import.id = $1`,
    [importId],
  );
  const [found] = rows;
  if (!found) return new AppError('import_not_found');
  return new AppError('import_state', { details: { near_duplicates: found.state } });
}
