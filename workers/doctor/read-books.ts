import type { Database } from '@proveklar/services/database/pool.ts';
import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import { type Finding, unchecked } from '@proveklar/operators/status/finding.ts';
import type { Installation } from './installation.ts';

/** Findings from our own tables; the database's own check says what is wrong with the database. */
export async function readBooks(
  { db }: Installation,
  read: (db: Database) => Promise<Finding[]>,
): Promise<Finding[]> {
  if (!db) return [unchecked('DATABASE_URL is not set')];
  return read(db).catch((error: unknown) => [unchecked(`the database: ${reasonOf(error)}`)]);
}
