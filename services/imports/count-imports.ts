import type { Queryable } from '#database/pool.ts';

const STATES = [
  'receiving',
  'processing',
  'checked',
  'completed',
  'refused',
  'cancelled',
  'discarded',
  'failed',
  'undoing',
  'undone',
] as const;

/** How many imports are in each state; also in those that none is in. */
export async function countImports(db: Queryable): Promise<Record<string, number>> {
  const { rows } = await db.query<{ state: string; imports: number }>(
    `select state, count(*)::int as imports
     from (select state from question_import limit 100001) as import group by state`,
  );
  const counted = rows.map(({ state, imports }) => [state, imports] as const);
  return {
    ...Object.fromEntries(STATES.map((state) => [state, 0])),
    ...Object.fromEntries(counted),
  };
}
