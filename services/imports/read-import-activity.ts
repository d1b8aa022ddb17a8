import type { Queryable } from '#database/pool.ts';

export interface ImportActivity {
  /** Files on their way in, and files that are worked on. */
  receiving: number;
  working: number;
  /** Of the last day. */
  completed: number;
  failed: number;
}

/** How imports go. */
export async function readImportActivity(db: Queryable): Promise<ImportActivity> {
  const { rows } = await db.query<ImportActivity>(
    `select
       count(*) filter (where state = 'receiving')::int as receiving,
       count(*) filter (where state in ('processing', 'undoing'))::int as working,
       count(*) filter (where state = 'completed' and is_recent)::int as completed,
       count(*) filter (where state = 'failed' and is_recent)::int as failed
     from (select state, ended_at > clock_timestamp() - interval '1 day' as is_recent
           from question_import) as import`,
  );
  return rows[0]!;
}
