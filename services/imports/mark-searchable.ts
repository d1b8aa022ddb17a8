import type { Database } from '#database/pool.ts';

/** Says that search finds an import's questions by its index: nobody has to look through them. */
export async function markSearchable(db: Database, importId: string): Promise<void> {
  await db.query('update question_import set searchable_at = now() where id = $1', [importId]);
}
