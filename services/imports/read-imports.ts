import { setTimeout as sleep } from 'node:timers/promises';
import { type Import, IMPORT_STATES, type ImportState } from '@proveklar/contract/imports.ts';
import type { Database, Queryable, Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { NEAR_DUPLICATES, type NearDuplicateProgress } from '#near-duplicates/near-duplicates.ts';

const PAGE_SIZE = 20;
/** How long a paused upload can be resumed. */
const UPLOAD_KEPT_HOURS = 24;
/** How long the report of an import is kept, with the rejected rows of its file. */
const REPORT_KEPT_DAYS = 90;

export interface ImportSummary {
  id: string;
  state: ImportState;
  dry_run: boolean;
  on_duplicate: 'skip' | 'update';
  format: Import['format'];
  file_name: string | null;
  imported_by: string;
  created_at: Date;
  received_at: Date | null;
  ended_at: Date | null;
  /** When the whole file had been read. */
  read_at: Date | null;
  bytes_total: number | null;
  bytes_received: number;
  bytes_done: number;
  rows: number;
  imported: number;
  updated: number;
  duplicates: number;
  rejected: number;
  /** Of the duplicates: equal to an earlier row of the file; with another answer or other options. */
  repeated: number;
  differing: number;
  /** Imported or updated rows with a warning; those of them that were cleaned. */
  warned: number;
  cleaned: number;
  /** What was recognised in a table; null for JSON. */
  columns: Import['columns'];
  /** Imported questions by language, for languages that learners are not offered; the most first. */
  not_offered: { language: string; questions: number }[];
  refusal: Import['refusal'];
  is_removed: boolean;
  undone_by: string | null;
  /** Until when an upload in parts can be resumed, unless more of the file arrives. */
  resumable_until: Date | null;
  is_report_deleted: boolean;
  /** Null when there is nothing to search: the import brought nothing, or is not in the bank. */
  near_duplicates: NearDuplicateProgress | null;
}

const IMPORT = `
  id, state, dry_run, on_duplicate, format, file_name, imported_by, created_at, received_at,
  ended_at, read_at, bytes_total, bytes_received, bytes_done,
  imported + updated + duplicates + rejected as rows, imported, updated, duplicates, rejected,
  repeated, differing, warned, cleaned, case when columns ? 'headings' then columns - '{chosen,sheet}'::text[] end as columns,
  (select coalesce(
     jsonb_agg(jsonb_build_object('language', key, 'questions', value::int)
       order by value::int desc, key), '[]')
   from jsonb_each_text(not_offered)) as not_offered,
  jsonb_build_object('line', null, 'column', null, 'excerpt', null, 'missing', '[]'::jsonb,
    'unknown', '[]'::jsonb) || refusal as refusal,
  removed_at is not null as is_removed, undone_by,
  case when resumable and state in ('receiving', 'paused')
    then heard_at + make_interval(hours => ${UPLOAD_KEPT_HOURS}) end as resumable_until,
  report_deleted_at is not null as is_report_deleted, ${NEAR_DUPLICATES}`;

/** @throws AppError `import_not_found` */
export async function readImport(db: Queryable, importId: string): Promise<ImportSummary> {
  const { rows } = await db.query<ImportSummary>({
    name: 'read-import',
    text: `select ${IMPORT} from question_import where id = $1`,
    values: [importId],
  });
  if (!rows[0]) throw new AppError('import_not_found');
  return rows[0];
}

/** Lists all imports, newest first, including those of the service itself. */
export async function listImports(
  db: Queryable,
  page: number,
): Promise<{ imports: ImportSummary[]; total: number }> {
  const [list, count] = await Promise.all([
    db.query<ImportSummary>(
      `select ${IMPORT} from question_import order by created_at desc, id desc
       limit ${PAGE_SIZE} offset $1`,
      [(page - 1) * PAGE_SIZE],
    ),
    db.query<{ total: number }>('select count(*)::int as total from question_import'),
  ]);
  return { imports: list.rows, total: count.rows[0]!.total };
}

const POLL_INTERVAL_MS = 100;
const UNDER_WAY = new Set(['receiving', 'processing']);

/**
 * Waits until an import has ended, for at most `seconds`.
 *
 * @param signal stops the waiting
 */
export async function waitForImport(
  db: Database,
  importId: string,
  seconds: number,
  signal?: AbortSignal,
): Promise<ImportSummary> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const summary = await readImport(db, importId);
    const isOver = Date.now() >= deadline || signal?.aborted;
    if (!UNDER_WAY.has(summary.state) || isOver) return summary;
    await sleep(Math.min(POLL_INTERVAL_MS, Math.max(1, deadline - Date.now())));
  }
}

/** Counts imports by state; states without an import count 0. */
export async function countImports(db: Queryable): Promise<Record<string, number>> {
  const { rows } = await db.query<{ state: string; imports: number }>(
    `select state, count(*)::int as imports
     from (select state from question_import limit 100001) as import group by state`,
  );
  const counted = rows.map(({ state, imports }) => [state, imports] as const);
  return {
    ...Object.fromEntries(IMPORT_STATES.map((state) => [state, 0])),
    ...Object.fromEntries(counted),
  };
}

export interface ImportActivity {
  /** Imports whose file is arriving, and imports that a worker processes. */
  receiving: number;
  working: number;
  /** In the last 24 hours. */
  completed: number;
  failed: number;
}

/** Reads the figures about imports for operators. */
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

/** Reports that are deleted in one transaction: one of a million rows has two hundred batches. */
const REPORTS_AT_A_TIME = 20;

/**
 * Refuses uploads that were not resumed in time, so that a worker deletes what was sent, and deletes old reports.
 */
export async function forgetImports(tx: Transaction): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `update question_import
     set state = 'refused', ended_at = clock_timestamp(),
       refusal = '{"reason": "interrupted", "row": null, "byte": null}'
     where state in ('receiving', 'paused')
       and heard_at < clock_timestamp() - make_interval(hours => ${UPLOAD_KEPT_HOURS})
     returning id`,
  );
  for (const { id } of rows) await emit(tx, 'import.changed', { import_id: id });
  await tx.query(
    `with due as (
       update question_import set report_deleted_at = clock_timestamp()
       where id in (
         select id from question_import
         where report_deleted_at is null and state not in ('checked', 'undoing')
           and ended_at < clock_timestamp() - make_interval(days => ${REPORT_KEPT_DAYS})
         order by ended_at limit ${REPORTS_AT_A_TIME} for no key update skip locked)
       returning id)
     update import_batch set report = '[]', warnings = '[]', not_offered = '[]', kept_rows = null
     from due where import_batch.import_id = due.id`,
  );
}
