import { withTransaction, type Database, type Transaction } from '#database/pool.ts';
import { emit } from '#events/emit.ts';
import { checkRow, type QuestionRow, type RowFault } from './question-row.ts';

export interface RejectedRow {
  /** Counted from 1. */
  row: number;
  faults: RowFault[];
}

export interface ImportResult {
  import_id: string;
  imported: number;
  /** Rows whose question is in the bank already, in the same language. */
  duplicates: number;
  rejected: RejectedRow[];
}

const BATCH_ROWS = 5_000;

/**
 * Adds questions to the bank, pending validation: good rows go in, bad ones are reported, and
 * questions that are there already are left as they are. All of it becomes visible at once.
 *
 * @param rows of an import file, unchecked
 * @param importedBy who did it, for the history
 */
export async function importQuestions(
  db: Database,
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  importedBy: string,
): Promise<ImportResult> {
  return withTransaction(db, async (tx) => {
    const inserted = await tx.query<{ id: string }>(
      'insert into question_import (imported_by) values ($1) returning id',
      [importedBy],
    );
    const importId = inserted.rows[0]!.id;
    const result: ImportResult = {
      import_id: importId,
      imported: 0,
      duplicates: 0,
      rejected: [],
    };
    let batch: QuestionRow[] = [];
    let number = 0;
    const flush = async () => {
      const imported = await insertRows(tx, importId, batch);
      result.imported += imported;
      result.duplicates += batch.length - imported;
      batch = [];
    };
    for await (const row of rows) {
      number += 1;
      const checked = checkRow(row);
      if ('faults' in checked) result.rejected.push({ row: number, faults: checked.faults });
      else batch.push(checked.row);
      if (batch.length === BATCH_ROWS) await flush();
    }
    if (batch.length > 0) await flush();
    await tx.query(
      'update question_import set imported = $2, duplicates = $3, rejected = $4 where id = $1',
      [importId, result.imported, result.duplicates, result.rejected.length],
    );
    await emit(tx, 'question.imported', { import_id: importId, imported: result.imported });
    return result;
  });
}

async function insertRows(tx: Transaction, importId: string, rows: QuestionRow[]): Promise<number> {
  const { rowCount } = await tx.query(
    `insert into question
       (language, topic, question, answer, incorrect, explanation, source_url, checked_at,
        translation_group, tags, uuid, import_id)
     select language, btrim(regexp_replace(normalize(topic, nfc), '\\s+', ' ', 'g')),
            btrim(question, e' \\t\\r\\n'), answer, incorrect, explanation, source_url,
            checked_at, "group", coalesce(tags, '{}'), coalesce(uuid, gen_random_uuid()), $2
     from jsonb_to_recordset($1::jsonb) as row (
       language text, topic text, question text, answer text, incorrect text[], explanation text,
       source_url text, checked_at date, "group" text, tags text[], uuid uuid)
     -- Also a question under a uuid that the bank has: an export that comes back.
     on conflict do nothing`,
    [JSON.stringify(rows), importId],
  );
  return rowCount ?? 0;
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
         order by id limit ${BATCH_ROWS})`,
      [importId],
    );
    if (!rowCount) return validated;
    validated += rowCount;
  }
}
