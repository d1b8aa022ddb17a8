import type { QuestionRow } from '@proveklar/contract/imports.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import { refuseImport } from '@proveklar/services/imports/end-import.ts';
import { runChange } from '@proveklar/services/questions/run-bulk-change.ts';
import { startChange } from '@proveklar/services/questions/start-bulk-change.ts';
import { finishImport, importRows } from './import-rows.ts';

/** Who adds the demo's data, in histories and the audit log. */
export const SEED = 'seed';

/**
 * Imports and validates those of the questions that the bank lacks. Changes nothing when it lacks none. First
 * finishes the imports of an interrupted seed.
 *
 * @throws Error when a new row is invalid
 */
export async function seedQuestions(
  db: Database,
  questions: QuestionRow[],
): Promise<{ imported: number }> {
  let imported = await finishInterrupted(db);
  const missing = await findMissing(db, questions);
  if (missing.length > 0) {
    const result = await importRows(db, missing, SEED);
    if (result.rejected.length > 0) {
      throw new Error(`The bank has bad rows: ${JSON.stringify(result.rejected, null, 2)}`);
    }
    imported += result.imported;
  }
  await validateImports(db);
  return { imported };
}

/** Finishes the imports of a seed that was killed. Returns the number of imported questions. */
async function finishInterrupted(db: Database): Promise<number> {
  // The rest of their files will never arrive.
  const { rows: cutOff } = await db.query<{ id: string }>(
    `select id from question_import where imported_by = $1 and state = 'receiving'`,
    [SEED],
  );
  for (const { id } of cutOff) {
    await refuseImport(db, id, { reason: 'interrupted', row: null, byte: null });
  }
  const { rows: begun } = await db.query<{ id: string }>(
    `select id from question_import where imported_by = $1 and state = 'processing'`,
    [SEED],
  );
  let imported = 0;
  for (const { id } of [...cutOff, ...begun]) {
    const ended = await finishImport(db, id);
    if (ended.state === 'completed') imported += ended.imported;
  }
  return imported;
}

/** The questions that the bank lacks, compared as an import does: by language and text. */
async function findMissing(db: Database, questions: QuestionRow[]): Promise<QuestionRow[]> {
  const { rows } = await db.query<{ at: number }>(
    `select given.at::integer - 1 as at
     from unnest($1::text[], $2::text[]) with ordinality as given (language, question, at)
     where not exists (
       select from question
       where question.language = given.language and question.retired_at is null
         and question.text_key = question_text_key(given.question))
     order by given.at`,
    [questions.map(({ language }) => language), questions.map(({ question }) => question)],
  );
  return rows.map(({ at }) => questions[at]!);
}

/**
 * Validates the imported questions once. The bulk change records it, so that a validation that an
 * administrator withdrew is not repeated. Leaves out imports without a file, which are from an earlier
 * version of the seed that recorded no change.
 */
async function validateImports(db: Database): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    `select id from question_import
     where imported_by = $1 and state = 'completed' and imported > 0 and received_at is not null
       and not exists (
         select from question_change
         where actor = $1 and action = 'validate'
           and selection ->> 'import_id' = question_import.id::text)`,
    [SEED],
  );
  for (const { id } of rows) {
    const change = await startChange(db, {
      action: 'validate',
      topic: undefined,
      selection: { import_id: id },
      actor: SEED,
    });
    while (await runChange(db, change.id)) continue;
  }
}
