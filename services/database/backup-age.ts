import type { Queryable } from '#database/pool.ts';

/**
 * Seconds of changes that no backup has: since the last good one began. `undefined` when there has
 * never been one.
 */
export async function backupAgeSeconds(db: Queryable): Promise<number | undefined> {
  const { rows } = await db.query<{ seconds: number | null }>(
    `select extract(epoch from clock_timestamp() - max(started_at))::float8 as seconds
     from backup_run`,
  );
  return rows[0]!.seconds ?? undefined;
}
