import type { Database } from '#database/pool.ts';

const BATCH_SIZE = 5_000;

/**
 * Adds all texts of an import's questions to the search index, in batches. Until it is done, search scans
 * these questions. Texts that are indexed already are skipped, so it can be repeated after a kill.
 *
 * @param signal stops it after the current batch
 * @throws the signal's reason
 */
export async function indexSearch(
  db: Database,
  importId: string,
  signal?: AbortSignal,
): Promise<void> {
  let after = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { rows } = await db.query<{ last: number | null }>(
      `with batch as (
         select id from question where import_id = $1 and id > $2
         order by id limit ${BATCH_SIZE}
       ), added as (
         insert into question_search select id, '' from batch -- a trigger fills in the text
         on conflict (question_id) do nothing
       )
       select max(id) as last from batch`,
      [importId, after],
    );
    const last = rows[0]!.last;
    if (last === null) break;
    after = last;
  }
  await markSearchable(db, importId);
}

/** Marks an import as indexed: search no longer scans its questions. */
async function markSearchable(db: Database, importId: string): Promise<void> {
  await db.query('update question_import set searchable_at = now() where id = $1', [importId]);
}
