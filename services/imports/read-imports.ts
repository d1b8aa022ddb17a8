import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import {
  IMPORT_STATES,
  type ImportState,
  type RowWarningReason,
} from '@proveklar/contract/imports.ts';
import type { Database, Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { NEAR_DUPLICATES, type NearDuplicateProgress } from '#near-duplicates/near-duplicates.ts';
import { guardCell } from '#csv/csv.ts';
import { ROW_FAULTS, ROW_WARNINGS, type RowFault } from '#questions/question-row.ts';
import type { Refusal } from './file-rows.ts';

const PAGE_SIZE = 20;

export interface ImportSummary {
  id: string;
  state: ImportState;
  dry_run: boolean;
  on_duplicate: 'skip' | 'update';
  format: 'json' | 'csv';
  file_name: string | null;
  imported_by: string;
  created_at: Date;
  received_at: Date | null;
  ended_at: Date | null;
  bytes_total: number | null;
  bytes_received: number;
  bytes_done: number;
  rows: number;
  imported: number;
  updated: number;
  duplicates: number;
  rejected: number;
  /** Imported questions by language, for languages that learners are not offered; the most first. */
  not_offered: { language: string; questions: number }[];
  refusal: Refusal | null;
  is_removed: boolean;
  undone_by: string | null;
  /** Null when there is nothing to search: the import brought nothing, or is not in the bank. */
  near_duplicates: NearDuplicateProgress | null;
}

const IMPORT = `
  id, state, dry_run, on_duplicate, format, file_name, imported_by, created_at, received_at,
  ended_at, bytes_total, bytes_received, bytes_done,
  imported + updated + duplicates + rejected as rows, imported, updated, duplicates, rejected,
  (select coalesce(
     jsonb_agg(jsonb_build_object('language', key, 'questions', value::int)
       order by value::int desc, key), '[]')
   from jsonb_each_text(not_offered)) as not_offered,
  refusal, removed_at is not null as is_removed, undone_by, ${NEAR_DUPLICATES}`;

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

interface RowWarning {
  field: 'language';
  reason: RowWarningReason;
  /** The code of the language. */
  value: string;
}

/** The outcome of a row that was not simply inserted. */
export interface ReportedRow {
  row: number;
  /** `imported` appears with a warning only. */
  outcome: 'rejected' | 'duplicate' | 'updated' | 'imported';
  faults: RowFault[];
  warnings: RowWarning[];
  question_id: number | null;
}

interface ReportQuery {
  /** `warned`: rows that were imported with a warning. */
  outcome?: 'rejected' | 'duplicate' | 'updated' | 'warned' | undefined;
  /** Rows after this one. */
  after: number;
  limit: number;
}

/**
 * Reads a page of an import's report, in the order of the file.
 *
 * @throws AppError `import_not_found`
 */
export async function readReport(
  db: Queryable,
  importId: string,
  { outcome, after, limit }: ReportQuery,
): Promise<ReportedRow[]> {
  // Does not unpack batches before the row.
  const { rows } = await db.query<Omit<ReportedRow, 'warnings'> & { language: string | null }>(
    `select row, coalesce(outcome, 'imported') as outcome, coalesce(faults, '[]') as faults,
            question_id, language
     from (
       select number, report, not_offered, sum(rows) over (order by number) as last_row
       from import_batch where import_id = $1) batch
     cross join lateral (
       select * from (
         select (entry->>'row')::int as row, entry->>'outcome' as outcome, entry->'faults' as faults,
                (entry->>'question_id')::bigint as question_id
         from jsonb_array_elements(batch.report) as entry) reported
       full join (
         select row, run.language
         from jsonb_to_recordset(batch.not_offered)
           as run (language text, first integer, last integer)
         cross join generate_series(run.first, run.last) as row) warned using (row)) as reported_row
     where batch.last_row > $2 and row > $2
       and ($3::text is null or outcome = $3 or ($3 = 'warned' and language is not null))
     order by batch.number, row limit $4`,
    [importId, after, outcome ?? null, limit],
  );
  if (rows.length === 0) await readImport(db, importId);
  return rows.map(({ language, ...row }) => ({
    ...row,
    warnings:
      language === null
        ? []
        : [{ field: 'language', reason: 'language_not_offered', value: language }],
  }));
}

const REPORT_PAGE_SIZE = 2_000;

/** Reads the whole report, a page at a time. */
export async function* readWholeReport(
  db: Queryable,
  importId: string,
): AsyncGenerator<ReportedRow[]> {
  let after = 0;
  for (;;) {
    const rows = await readReport(db, importId, { after, limit: REPORT_PAGE_SIZE });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.row;
  }
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

const HEADER = ['row', 'outcome', 'field', 'reason', 'explanation', 'question_id'];

/** Writes the report of an import as CSV, a page at a time: one line for each fault or warning of a row. */
export async function* writeReport(db: Database, importId: string): AsyncGenerator<string> {
  yield stringify([HEADER]);
  for await (const rows of readWholeReport(db, importId)) yield stringify(rows.flatMap(toLines));
}

type Cell = string | number | null;

function toLines({ row, outcome, faults, warnings, question_id }: ReportedRow): Cell[][] {
  const remarks = [
    ...faults.map(({ field, reason }) => [field, reason, ROW_FAULTS[reason]] as const),
    ...warnings.map(
      ({ field, reason, value }) => [field, reason, `${value} ${ROW_WARNINGS[reason]}`] as const,
    ),
  ];
  if (remarks.length === 0) return [[row, outcome, '', '', '', question_id]];
  return remarks.map(([field, reason, explanation]) => [
    row,
    outcome,
    // Field names come from the file, so they are untrusted.
    guardCell(field),
    reason,
    explanation,
    question_id,
  ]);
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
