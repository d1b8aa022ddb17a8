import type { Database } from '#database/pool.ts';

const BATCH = 5_000;

/**
 * Puts the texts of an import's questions into the index that search reads. Until that is done,
 * search looks through them one by one. What is there already is left alone, so it may begin again
 * after a kill.
 *
 * @param signal ends it after the part under way
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
         select id, question from question where import_id = $1 and id > $2
         order by id limit ${BATCH}
       ), added as (
         insert into question_search select id, casefold(question) from batch
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

/** Says that search finds an import's questions by its index: nobody has to look through them. */
async function markSearchable(db: Database, importId: string): Promise<void> {
  await db.query('update question_import set searchable_at = now() where id = $1', [importId]);
}
