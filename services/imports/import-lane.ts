import type { Database } from '#database/pool.ts';
import { READING } from './import-state.ts';

// Any number will do, as long as nothing else of the service takes a lock under it.
const LANE = 7_461_001;

/**
 * Runs `work` unless another import is being worked on, anywhere. Ends with its connection, so a
 * killed worker lets go.
 *
 * @returns false when it is not this import's turn
 */
export async function inImportLane(
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
      [LANE],
    );
    if (!rows[0]?.taken) return false;
    try {
      if (await isAnotherHalfway(db, importId)) return false;
      await work();
      return true;
    } finally {
      await connection.query('select pg_advisory_unlock($1)', [LANE]).catch(() => {
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
