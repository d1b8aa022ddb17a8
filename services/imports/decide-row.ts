import type { Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { isUniqueViolation } from '#database/sql-state.ts';
import { AppError } from '#errors/app-error.ts';
import { findImageIn, storeImages } from '#images/images.ts';
import { notifyLive } from '#live/live.ts';
import { duplicateError, invalid, isDuplicateText } from '#questions/question-content.ts';
import { applyNoted } from './apply-updates.ts';
import type { KeptRow, ReportEntry } from './batch-outcome.ts';
import { type Batch, batchRows, ROWS, toRows } from './batch-rows.ts';
import { INSERT } from './insert-batch.ts';
import { readImport } from './read-imports.ts';
import { reserveIds } from './repeated-rows.ts';

/**
 * What becomes of a row that has the text of another question, and other answers: it replaces that question's content, or
 * is added with a text of its own.
 */
export type RowDecision = { action: 'update' } | { action: 'add'; question: string };

interface Request {
  importId: string;
  /** Counted from 1. */
  row: number;
  decision: RowDecision;
  actor: Actor;
}

/**
 * Decides about a row with other answers, which an import left out: of a trial run, whose decisions take effect when it is
 * confirmed, or of a completed import. Undoing the import reverts it.
 *
 * @throws AppError `import_not_found`; `import_state`; `import_row_not_open` when there is no such row, or it was decided;
 *   `validation_failed`; `question_duplicate` when another question has the text
 */
export async function decideRow(db: Database, request: Request): Promise<void> {
  const { importId, row, decision } = request;
  const open = await readOpenRow(db, importId, row);
  if (!open) {
    await readImport(db, importId);
    throw new AppError('import_row_not_open');
  }
  // Before the transaction, because decoding a picture takes long.
  const batch = await toBatch(db, row, withText(open.source, decision));
  try {
    await withTransaction(db, (tx) => decide(tx, request, batch));
  } catch (error) {
    if (!isDuplicateText(error) && !isUniqueViolation(error)) throw error;
    throw await duplicateError(db, batch.good.at(0));
  }
}

interface OpenRow {
  batch: number;
  questionId: number;
  source: object;
  /** What is left of the batch without the row. */
  entries: ReportEntry[];
  kept: KeptRow[];
}

async function readOpenRow(db: Queryable, importId: string, row: number): Promise<OpenRow | null> {
  const { rows } = await db.query<{
    number: number;
    report: ReportEntry[];
    kept_rows: string | null;
  }>(
    `select number, report, kept_rows from import_batch
     where import_id = $1
       and report @> jsonb_build_array(jsonb_build_object('row', $2::integer, 'outcome', 'duplicate'))`,
    [importId, row],
  );
  const [batch] = rows;
  const entry = batch?.report.find((one) => one.row === row);
  const kept = (batch?.kept_rows ? JSON.parse(batch.kept_rows) : []) as KeptRow[];
  const source = kept.find((one) => one.row === row)?.source;
  if (!batch || entry?.outcome !== 'duplicate' || !entry.differs || !source) return null;
  if (entry.question_id === null) return null;
  return {
    batch: batch.number,
    questionId: entry.question_id,
    source,
    entries: batch.report.filter((one) => one.row !== row),
    kept: kept.filter((one) => one.row !== row),
  };
}

const withText = (source: object, decision: RowDecision) =>
  // The uuid is that of the other question, or of none yet.
  decision.action === 'add'
    ? { ...source, question: decision.question, uuid: undefined }
    : { ...source, uuid: undefined };

/** @throws AppError `validation_failed` */
async function toBatch(db: Database, row: number, value: object): Promise<Batch> {
  // As a file has it: without fields that are not set.
  const read = { value: JSON.parse(JSON.stringify(value)) as object, end: 0, line: 1, endLine: 1 };
  const batches = batchRows(
    (async function* () {
      yield [read];
    })(),
    { byte: 0, line: 1, rows: row - 1, batch: 0 },
    { find: findImageIn(db) },
  );
  const { value: batch } = (await batches.next()) as { value: Batch };
  const [bad] = batch.bad;
  if (bad) throw invalid(bad.faults);
  return batch;
}

async function decide(
  tx: Transaction,
  { importId, row, decision, actor }: Request,
  batch: Batch,
): Promise<void> {
  const state = await lockDecided(tx, importId);
  const open = await readOpenRow(tx, importId, row);
  if (!open) throw new AppError('import_row_not_open');
  await storeImages(tx, batch.images.values());
  if (decision.action === 'add') await addRow(tx, { importId, row, batch, open });
  else await updateFromRow(tx, { importId, row, batch, open }, state);
  await tx.query(
    `update question_import
     set imported = imported + $2, updated = updated + $3, duplicates = duplicates - 1,
       differing = differing - 1
     where id = $1`,
    [importId, decision.action === 'add' ? 1 : 0, decision.action === 'update' ? 1 : 0],
  );
  await recordAction(tx, {
    actor,
    action: 'import.row_decided',
    subject: importId,
    details: { row, decision: decision.action },
  });
  await notifyLive(tx, [{ topic: 'imports' }, { topic: 'questions' }]);
}

type DecidedState = 'checked' | 'completed';

async function lockDecided(tx: Transaction, importId: string): Promise<DecidedState> {
  const { rows } = await tx.query<{ state: string }>(
    'select state from question_import where id = $1 for no key update',
    [importId],
  );
  const state = rows[0]?.state;
  if (state === 'checked' || state === 'completed') return state;
  throw new AppError('import_state', { details: { state } });
}

interface Decided {
  importId: string;
  row: number;
  batch: Batch;
  open: OpenRow;
}

/** Adds the row as a question of the import. */
async function addRow(tx: Transaction, { importId, row, batch, open }: Decided): Promise<void> {
  const [id] = await reserveIds(tx, 1);
  const { rowCount } = await tx.query(INSERT, [toRows(batch, [id!]), importId]);
  if (!rowCount) throw await duplicateError(tx, batch.good.at(0));
  // A trigger fills in the text. The worker that indexes the import may be done already.
  await tx.query(`insert into question_search values ($1, '')`, [id]);
  await storeBatch(tx, importId, open, open.entries);
  await tx.query(
    `update import_batch
     set imported = imported + 1, duplicates = duplicates - 1,
       ids = ids || jsonb_build_array(jsonb_build_object('row', $3::int, 'id', $4::bigint, 'count', 1)),
       first_id = least(first_id, $4), last_id = greatest(last_id, $4)
     where import_id = $1 and number = $2`,
    [importId, open.batch, row, id],
  );
}

/** Replaces the content of the question that has the text: at once, or when the trial run is confirmed. */
async function updateFromRow(
  tx: Transaction,
  { importId, row, batch, open }: Decided,
  state: DecidedState,
): Promise<void> {
  const { questionId } = open;
  const { rowCount: isNoted } = await tx.query(
    `insert into import_update (import_id, question_id, row)
     select $2, question.id, to_jsonb(given) - 'id' - 'uuid'
     from ${ROWS} join question on question.id = $3 and question.retired_at is null
     on conflict do nothing`,
    [toRows(batch), importId, questionId],
  );
  // Another row of the file updates it, or it was retired meanwhile.
  if (!isNoted) throw new AppError('import_row_not_open');
  if (state === 'completed') await applyNoted(tx, importId, [questionId]);
  const entry: ReportEntry = {
    row,
    line: null,
    outcome: 'updated',
    question_id: questionId,
  };
  await storeBatch(
    tx,
    importId,
    open,
    [...open.entries, entry].toSorted((a, b) => a.row - b.row),
  );
  await tx.query(
    `update import_batch set updated = updated + 1, duplicates = duplicates - 1
     where import_id = $1 and number = $2`,
    [importId, open.batch],
  );
}

async function storeBatch(
  tx: Transaction,
  importId: string,
  { batch, kept }: OpenRow,
  entries: readonly ReportEntry[],
): Promise<void> {
  await tx.query(
    `update import_batch set report = $3, kept_rows = $4 where import_id = $1 and number = $2`,
    [importId, batch, JSON.stringify(entries), kept.length > 0 ? JSON.stringify(kept) : null],
  );
}
