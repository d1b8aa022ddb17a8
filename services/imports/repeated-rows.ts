import type { Transaction } from '#database/pool.ts';
import { type Difference, ROWS } from './batch-rows.ts';

// Rows of a file that repeat an earlier row of it. The first is kept, and the report names it. Two batches are
// inserted at a time, so a later row may have been faster: then the earlier one takes its place.

/** Consecutive rows that have consecutive ids. */
export interface IdRun {
  row: number;
  id: number;
  count: number;
}

/** A row that was not inserted. */
export interface LeftOut {
  row: number;
  /** The question that the bank has instead. */
  question_id: number | null;
  /** That question came from the same file. */
  is_repeated: boolean;
  is_same_text: boolean;
  differs: Difference | null;
}

/** Takes ids of questions, in ascending order. Ids of rows that are left out are not used. */
export async function reserveIds(tx: Transaction, count: number): Promise<number[]> {
  // The sequence is looked up once, by a query of its own: for each row, that took 33 ms of a batch of 5,000.
  const { rows } = await tx.query<{ first: number; count: number }>({
    name: 'reserve-question-ids',
    text: `
      with reserved as materialized (
        select nextval((select pg_get_serial_sequence('question', 'id')::regclass)) as id
        from generate_series(1, $1::int))
      select min(id) as first, count(*)::int as count
      from (select id, id - row_number() over (order by id) as run from reserved) numbered
      group by run order by first`,
    values: [count],
  });
  return rows.flatMap((run) => Array.from({ length: run.count }, (_, place) => run.first + place));
}

/** Which row got which id, as runs. */
export function idsOf(rows: readonly number[], ids: readonly number[]): IdRun[] {
  const runs: IdRun[] = [];
  for (const [place, row] of rows.entries()) {
    const id = ids[place]!;
    const last = runs.at(-1);
    if (last && row === last.row + last.count && id === last.id + last.count) last.count += 1;
    else runs.push({ row, id, count: 1 });
  }
  return runs;
}

/** The row of the file that a question came from, and the batch of that row. */
export interface FirstRow {
  row: number;
  batch: number;
}

/** Finds the rows that the left-out rows repeat, by the ids of their questions. */
export async function readFirstRows(
  tx: Transaction,
  importId: string,
  found: readonly LeftOut[],
  own: { ids: readonly IdRun[]; number: number },
): Promise<Map<number, FirstRow>> {
  const firstRows = new Map<number, FirstRow>();
  const others: number[] = [];
  const ids = found.flatMap(({ is_repeated, question_id: id }) =>
    is_repeated && id !== null ? [id] : [],
  );
  for (const id of new Set(ids)) {
    const run = findRun(own.ids, id);
    if (run) firstRows.set(id, { row: run.row + id - run.id, batch: own.number });
    else others.push(id);
  }
  if (others.length === 0) return firstRows;
  const { rows } = await tx.query<FirstRow & { id: number }>(
    `select distinct on (asked.id) asked.id, (run.row + asked.id - run.id)::int as row, number as batch
     from unnest($2::bigint[]) as asked (id)
     join import_batch on import_id = $1 and asked.id between first_id and last_id
     cross join lateral jsonb_to_recordset(ids) as run (row integer, id bigint, count integer)
     where asked.id >= run.id and asked.id < run.id + run.count
     order by asked.id, row`,
    [importId, others],
  );
  for (const { id, row, batch } of rows) firstRows.set(id, { row, batch });
  return firstRows;
}

/** The runs are in ascending order of ids. */
function findRun(runs: readonly IdRun[], id: number): IdRun | undefined {
  let [low, high] = [0, runs.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const run = runs[middle]!;
    if (id < run.id) high = middle - 1;
    else if (id >= run.id + run.count) low = middle + 1;
    else return run;
  }
  return undefined;
}

// PostgreSQL thinks that an import which still runs has few questions, or that the bank has: it would compare each
// of thousands of rows with each question. "is not distinct from" uses no index of imports, the ids do.
const WITHOUT_NESTED_LOOPS = 'set local enable_nestloop = off';
const WITH_NESTED_LOOPS = 'set local enable_nestloop to default';
const TAKE_PLACE = `
  update question set
    topic = given.topic, question = given.question, answer = given.answer,
    incorrect = given.incorrect, incorrect_reasons = given.incorrect_reasons,
    explanation = given.explanation, source_url = given.source_url,
    source_title = given.source_title, checked_at = given.checked_at, valid_from = given.valid_from,
    ages = given.ages, translation_group = given."group", excludes = coalesce(given.excludes, '{}'),
    tags = coalesce(given.tags, '{}'), image_hash = given.image_hash, image_alt = given.image_alt,
    areas = given.areas, uuid = coalesce(given.uuid, question.uuid)
  from ${ROWS}
  join unnest($3::integer[], $4::bigint[]) as taken (row, question_id) on taken.row = given.row
  where question.id = any ($4) and question.id = taken.question_id
    and question.import_id is not distinct from $2
  returning taken.row, jsonb_strip_nulls(jsonb_build_object(
    'language', old.language, 'topic', old.topic, 'question', old.question, 'answer', old.answer,
    'incorrect', old.incorrect, 'explanation', old.explanation, 'source_url', old.source_url,
    'source_title', old.source_title, 'checked_at', old.checked_at, 'valid_from', old.valid_from,
    'ages', old.ages, 'group', old.translation_group)) as source`;

const MOVE_TO_DUPLICATES = `
  update import_batch
  set imported = imported - $5, duplicates = duplicates + $5, report = report || $3::jsonb,
      kept_rows = case when $4::text = '' then kept_rows
        when kept_rows is null then '[' || $4 || ']'
        else left(kept_rows, -1) || ',' || $4 || ']' end
  where import_id = $1 and number = $2`;

/**
 * Gives a question the content of the earlier of two equal rows, where the later one was inserted first.
 *
 * @returns the rows that took a place, with their questions, and how many rows of other batches lost theirs
 */
export async function keepFirstRows(
  tx: Transaction,
  importId: string,
  {
    rows,
    found,
    firstRows,
  }: { rows: string; found: readonly LeftOut[]; firstRows: Map<number, FirstRow> },
): Promise<{ kept: { row: number; id: number }[]; lost: number }> {
  const kept: { row: number; id: number; differs: Difference | null; later: FirstRow }[] = [];
  for (const { row, question_id: id, is_repeated, is_same_text, differs } of found) {
    const later = id === null ? undefined : firstRows.get(id);
    if (!is_repeated || !is_same_text || id === null || !later || later.row < row) continue;
    kept.push({ row, id, differs, later });
    // Rows of this batch that follow repeat this one.
    firstRows.set(id, { row, batch: later.batch });
  }
  if (kept.length === 0) return { kept, lost: 0 };
  await tx.query(WITHOUT_NESTED_LOOPS);
  const { rows: taken } = await tx.query<{ row: number; source: object }>(TAKE_PLACE, [
    rows,
    importId,
    kept.map(({ row }) => row),
    kept.map(({ id }) => id),
  ]);
  await tx.query(WITH_NESTED_LOOPS);
  const sources = new Map(taken.map(({ row, source }) => [row, source]));
  // One statement for each batch: thousands of rows may lose their place in it, and each would rewrite its report.
  for (const [number, moved] of Map.groupBy(kept, ({ later }) => later.batch)) {
    const report = moved.map(({ row, id, differs, later }) => ({
      row: later.row,
      line: null,
      outcome: 'duplicate',
      question_id: id,
      repeats: row,
      ...(differs && { differs }),
    }));
    const keptRows = moved.flatMap(({ row, differs, later }) =>
      differs ? [JSON.stringify({ row: later.row, source: sources.get(row) })] : [],
    );
    await tx.query(MOVE_TO_DUPLICATES, [
      importId,
      number,
      JSON.stringify(report),
      keptRows.join(','),
      moved.length,
    ]);
  }
  return { kept, lost: kept.length };
}
