import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { NEAR_DUPLICATES, type NearDuplicateProgress } from '#near-duplicates/progress.ts';
import type { Refusal } from './refused-file.ts';
import type { RowFault } from './question-row.ts';

const PAGE = 20;

export interface ImportSummary {
  id: string;
  state: string;
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
  refusal: Refusal | null;
  is_removed: boolean;
  undone_by: string | null;
  /** Null where nothing is to be looked for: it brought nothing, or is not in the bank. */
  near_duplicates: NearDuplicateProgress | null;
}

const IMPORT = `
  id, state, dry_run, on_duplicate, format, file_name, imported_by, created_at, received_at,
  ended_at, bytes_total, bytes_received, bytes_done,
  imported + updated + duplicates + rejected as rows, imported, updated, duplicates, rejected,
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

/** The imports, the newest first. Those that the service made itself are among them. */
export async function listImports(
  db: Queryable,
  page: number,
): Promise<{ imports: ImportSummary[]; total: number }> {
  const [list, count] = await Promise.all([
    db.query<ImportSummary>(
      `select ${IMPORT} from question_import order by created_at desc, id desc
       limit ${PAGE} offset $1`,
      [(page - 1) * PAGE],
    ),
    db.query<{ total: number }>('select count(*)::int as total from question_import'),
  ]);
  return { imports: list.rows, total: count.rows[0]!.total };
}

/** What became of a row that did not simply go in. */
export interface ReportedRow {
  row: number;
  outcome: 'rejected' | 'duplicate' | 'updated';
  faults: RowFault[];
  question_id: number | null;
}

export interface ReportQuery {
  outcome?: ReportedRow['outcome'] | undefined;
  /** Rows after this one. */
  after: number;
  limit: number;
}

/**
 * The report of an import from a row on, in the order of the file.
 *
 * @throws AppError `import_not_found`
 */
export async function readReport(
  db: Queryable,
  importId: string,
  { outcome, after, limit }: ReportQuery,
): Promise<ReportedRow[]> {
  // Batches before the row, and those without such an entry, are not unpacked.
  const { rows } = await db.query<ReportedRow>(
    `select (entry->>'row')::int as row, entry->>'outcome' as outcome,
            coalesce(entry->'faults', '[]') as faults, (entry->>'question_id')::bigint as question_id
     from (
       select number, report, sum(rows) over (order by number) as last_row
       from import_batch where import_id = $1) batch
     cross join lateral jsonb_array_elements(batch.report) as entry
     where batch.last_row > $2 and (entry->>'row')::int > $2
       and ($3::text is null or entry->>'outcome' = $3)
     order by batch.number, 1 limit $4`,
    [importId, after, outcome ?? null, limit],
  );
  if (rows.length === 0) await readImport(db, importId);
  return rows;
}

const REPORT_PART = 2_000;

/** All of the report, some rows at a time. */
export async function* readWholeReport(
  db: Queryable,
  importId: string,
): AsyncGenerator<ReportedRow[]> {
  let after = 0;
  for (;;) {
    const rows = await readReport(db, importId, { after, limit: REPORT_PART });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.row;
  }
}
