import type { ImportRow, RowFilter } from '@proveklar/contract/imports.ts';
import type { Queryable } from '#database/pool.ts';
import type { KeptRow, ReportEntry } from './batch-outcome.ts';
import type { LanguageRun } from './batch-rows.ts';
import type { WarningRun } from './batch-warnings.ts';
import { excerpt } from './clean-row.ts';
import { readImport } from './read-imports.ts';
import type { IdRun } from './repeated-rows.ts';

/** The outcome of a row that was not simply inserted, or that has a warning. */
export type ReportedRow = ImportRow;

interface ReportQuery {
  outcome?: RowFilter | undefined;
  /** Rows after this one. */
  after: number;
  limit: number;
}

interface StoredBatch {
  number: number;
  end_line: number | null;
  report: ReportEntry[];
  warnings: WarningRun[];
  not_offered: LanguageRun[];
  ids: IdRun[];
  kept_rows: string | null;
}

/** A row of the report before its question is read. */
interface FoundRow extends Omit<ReportedRow, 'differs'> {
  differs: 'answer' | 'options' | null;
}

/** Batches that are unpacked at a time; each has at most 5,000 rows. */
const BATCHES_AT_A_TIME = 4;

/** SQL: batches that may have such rows. Others are not unpacked. */
const MAY_HAVE: Record<RowFilter, string> = {
  rejected: 'rejected > 0',
  duplicate: 'duplicates > 0',
  differing: 'kept_rows is not null and duplicates > 0',
  repeated: 'duplicates > 0',
  known: 'duplicates > 0',
  updated: 'updated > 0',
  warned: `(warnings <> '[]' or not_offered <> '[]')`,
};

const IS: Record<RowFilter, (row: FoundRow) => boolean> = {
  rejected: ({ outcome }) => outcome === 'rejected',
  duplicate: ({ outcome }) => outcome === 'duplicate',
  differing: ({ outcome, differs }) => outcome === 'duplicate' && differs !== null,
  repeated: (row) => isPlainDuplicate(row) && row.repeats !== null,
  known: (row) => isPlainDuplicate(row) && row.repeats === null,
  updated: ({ outcome }) => outcome === 'updated',
  warned: ({ warnings }) => warnings.length > 0,
};

const isPlainDuplicate = ({ outcome, differs }: FoundRow) =>
  outcome === 'duplicate' && differs === null;

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
  const rows: FoundRow[] = [];
  const given = new Map<number, Given>();
  let number = -1;
  while (rows.length < limit) {
    const batches = await readBatches(db, importId, { outcome, after, behind: number });
    for (const batch of batches) {
      number = batch.number;
      const found = unpack(batch).filter(
        (row) => row.row > after && (outcome === undefined || IS[outcome](row)),
      );
      rows.push(...found.slice(0, limit - rows.length));
      if (found.some(({ differs }) => differs !== null)) addGiven(given, batch);
    }
    if (batches.length < BATCHES_AT_A_TIME) break;
  }
  if (rows.length === 0) await readImport(db, importId);
  return withQuestions(db, rows, given);
}

async function readBatches(
  db: Queryable,
  importId: string,
  { outcome, after, behind }: { outcome: RowFilter | undefined; after: number; behind: number },
): Promise<StoredBatch[]> {
  const { rows } = await db.query<StoredBatch>(
    `select number, end_line, report, warnings, not_offered, ids,
            case when duplicates > 0 then kept_rows end as kept_rows
     from (select *, sum(rows) over (order by number) as last_row
           from import_batch where import_id = $1) batch
     where last_row > $2 and number > $3 ${outcome ? `and ${MAY_HAVE[outcome]}` : ''}
     order by number limit ${BATCHES_AT_A_TIME}`,
    [importId, after, behind],
  );
  return rows;
}

function unpack(batch: StoredBatch): FoundRow[] {
  const rows = new Map<number, FoundRow>();
  for (const entry of batch.report) rows.set(entry.row, fromEntry(entry));
  for (const { row, count, line, step, ...warning } of batch.warnings) {
    for (let place = 0; place < count; place += 1) {
      const at = line === null ? null : line + place * step;
      addWarning(rows, batch, { row: row + place, line: at, warning });
    }
  }
  // The version before stored the languages alone.
  if (batch.end_line === null) {
    for (const { language, first, last } of batch.not_offered) {
      const reason = 'language_not_offered' as const;
      const warning = { field: 'language', reason, value: language, cleaned: false };
      for (let row = first; row <= last; row += 1)
        addWarning(rows, batch, { row, line: null, warning });
    }
  }
  return [...rows.values()].toSorted((a, b) => a.row - b.row);
}

function fromEntry(entry: ReportEntry): FoundRow {
  const common = {
    row: entry.row,
    line: entry.line ?? null,
    outcome: entry.outcome,
    warnings: [],
  };
  if (entry.outcome === 'rejected') {
    return {
      ...common,
      question: entry.question ?? null,
      // The version before stored no values.
      faults: entry.faults.map((fault) => ({ ...fault, value: fault.value ?? null })),
      question_id: null,
      repeats: null,
      differs: null,
    };
  }
  return {
    ...common,
    question: null,
    faults: [],
    question_id: entry.question_id,
    repeats: entry.repeats ?? null,
    differs: entry.differs ?? null,
  };
}

function addWarning(
  rows: Map<number, FoundRow>,
  { ids }: StoredBatch,
  {
    row,
    line,
    warning,
  }: Pick<FoundRow, 'row' | 'line'> & { warning: FoundRow['warnings'][number] },
): void {
  const known = rows.get(row);
  // An earlier row of the file took its place afterwards.
  if (known && known.outcome !== 'imported' && known.outcome !== 'updated') return;
  if (known) {
    known.warnings.push(warning);
    return;
  }
  const run = ids.find((some) => row >= some.row && row < some.row + some.count);
  rows.set(row, {
    row,
    line,
    outcome: 'imported',
    question: null,
    faults: [],
    warnings: [warning],
    question_id: run ? run.id + row - run.row : null,
    repeats: null,
    differs: null,
  });
}

/** The options of a row. */
interface Given {
  answer: string;
  incorrect: string[];
}

function addGiven(given: Map<number, Given>, { kept_rows: kept }: StoredBatch): void {
  for (const { row, source } of keptRowsOf(kept)) {
    const { answer, incorrect } = (source ?? {}) as Partial<Given>;
    if (typeof answer === 'string' && Array.isArray(incorrect))
      given.set(row, { answer, incorrect });
  }
}

const keptRowsOf = (kept: string | null) => (kept === null ? [] : (JSON.parse(kept) as KeptRow[]));

/** Adds the texts of questions, as they are in the bank now. */
async function withQuestions(
  db: Queryable,
  rows: readonly FoundRow[],
  given: ReadonlyMap<number, Given>,
): Promise<ReportedRow[]> {
  const ids = rows.flatMap(({ question_id: id }) => (id === null ? [] : [id]));
  const { rows: questions } =
    ids.length === 0
      ? { rows: [] }
      : await db.query<Given & { id: number; question: string }>(
          'select id, question, answer, incorrect from question where id = any ($1)',
          [ids],
        );
  const byId = new Map(questions.map((question) => [question.id, question]));
  return rows.map(({ differs, ...row }) => {
    const known = row.question_id === null ? undefined : byId.get(row.question_id);
    const options = known && { answer: known.answer, incorrect: known.incorrect };
    return {
      ...row,
      question: row.question ?? (known ? excerpt(known.question) : null),
      question_id: known ? row.question_id : null,
      differs: differs && { in: differs, row: given.get(row.row) ?? null, known: options ?? null },
    };
  });
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

/** A row as it stood in the file, with its line of the report. */
export interface KeptReportedRow extends Omit<KeptRow, 'row'> {
  row: ReportedRow;
}

/** Reads the rows that were kept because they are not in the bank, in the order of the file. */
export async function* readKeptRows(
  db: Queryable,
  importId: string,
): AsyncGenerator<KeptReportedRow> {
  let behind = -1;
  for (;;) {
    const { rows } = await db.query<StoredBatch>(
      `select number, end_line, report, warnings, not_offered, ids, kept_rows from import_batch
       where import_id = $1 and number > $2 and kept_rows is not null order by number limit 1`,
      [importId, behind],
    );
    const [batch] = rows;
    if (!batch) return;
    behind = batch.number;
    const kept = new Map(keptRowsOf(batch.kept_rows).map((one) => [one.row, one]));
    const found = unpack(batch).filter(({ row }) => kept.has(row));
    for (const row of await withQuestions(db, found, new Map())) {
      yield { ...kept.get(row.row)!, row };
    }
  }
}
