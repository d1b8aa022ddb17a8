import { withTransaction, type Database } from '#database/pool.ts';
import { emit } from '#events/outbox.ts';
import { awaitNearDuplicates } from '#near-duplicates/near-duplicates.ts';
import { batchRows, insertBatch } from './insert-batch.ts';
import type { FileRow } from './file-rows.ts';
import { removeRows } from './undo-import.ts';
import { readWholeReport, readImport, type ReportedRow } from './read-imports.ts';

const PIECE = 1_000;
const VALIDATED_AT_A_TIME = 5_000;

export interface ImportResult {
  import_id: string;
  imported: number;
  /** Rows whose question is in the bank already, in the same language. */
  duplicates: number;
  rejected: Pick<ReportedRow, 'row' | 'faults'>[];
}

/**
 * Adds questions that are at hand to the bank, pending validation, in batches like those of a file:
 * for the demo's questions and for tests. Call it where nobody imports at the same time.
 *
 * @param rows as of an import file, unchecked
 * @param importedBy who did it, for the history
 */
export async function importQuestions(
  db: Database,
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  importedBy: string,
): Promise<ImportResult> {
  await removeInterrupted(db, importedBy);
  const { rows: begun } = await db.query<{ id: string }>(
    `insert into question_import (imported_by, state) values ($1, 'processing') returning id`,
    [importedBy],
  );
  const id = begun[0]!.id;
  for await (const batch of batchRows(toPieces(rows), { byte: 0, rows: 0, batch: 0 })) {
    await withTransaction(db, (tx) => insertBatch(tx, { id, on_duplicate: 'skip' }, batch));
  }
  const result = await readImport(db, id);
  const rejected: ImportResult['rejected'] = [];
  for await (const reported of readWholeReport(db, id)) {
    rejected.push(...reported.filter((entry) => entry.outcome === 'rejected'));
  }
  const { imported, duplicates } = result;
  await withTransaction(db, async (tx) => {
    // What brought nothing is no part of the history: the demo looks for new questions at each start.
    if (imported === 0) await tx.query('delete from question_import where id = $1', [id]);
    else {
      await tx.query(
        `update question_import set state = 'completed', ended_at = clock_timestamp() where id = $1`,
        [id],
      );
      await awaitNearDuplicates(tx, id, imported);
      await emit(tx, 'question.imported', { import_id: id, imported });
    }
  });
  return { import_id: id, imported, duplicates, rejected };
}

/** What an earlier call left when its process ended: unseen as it is, it would count as duplicates. */
async function removeInterrupted(db: Database, importedBy: string): Promise<void> {
  // Of a file's import it is known when the file came.
  const { rows } = await db.query<{ id: string }>(
    `select id from question_import
     where state = 'processing' and received_at is null and imported_by = $1`,
    [importedBy],
  );
  for (const { id } of rows) {
    await removeRows(db, id);
    await db.query('delete from question_import where id = $1', [id]);
  }
}

async function* toPieces(
  rows: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<FileRow[]> {
  let piece: FileRow[] = [];
  for await (const value of rows) {
    piece.push({ end: 0, value });
    if (piece.length < PIECE) continue;
    yield piece;
    piece = [];
  }
  yield piece;
}

/**
 * Validates every question of an import, so that quizzes may draw them, some thousands at a time: a
 * million in one statement would take longer than a statement may.
 *
 * @returns how many were validated
 */
export async function validateImport(db: Database, importId: string): Promise<number> {
  let validated = 0;
  for (;;) {
    const { rowCount } = await db.query(
      `update question set validated = true where id in (
         select id from question where import_id = $1 and not validated
         order by id limit ${VALIDATED_AT_A_TIME})`,
      [importId],
    );
    if (!rowCount) return validated;
    validated += rowCount;
  }
}
