import type { Database } from '@proveklar/services/database/pool.ts';
import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import { unchecked, type Finding } from './finding.ts';
import type { Installation } from './installation.ts';

/** Findings from our own tables; the database's own check says what is wrong with the database. */
export async function readBooks(
  { db }: Installation,
  read: (db: Database) => Promise<Finding[]>,
): Promise<Finding[]> {
  if (!db) return [unchecked('DATABASE_URL is not set')];
  return read(db).catch((error: unknown) => [unchecked(`the database: ${reasonOf(error)}`)]);
}

/** "40 s", "12 min", "3 h", "5 days". */
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
