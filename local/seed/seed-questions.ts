import type { QuestionRow } from '@proveklar/contract/imports.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import { refuseImport } from '@proveklar/services/imports/end-import.ts';
import { runChange } from '@proveklar/services/questions/run-change.ts';
import { startChange } from '@proveklar/services/questions/start-change.ts';
import { finishImport, importRows } from './import-rows.ts';

const SEED = 'seed';

/**
 * Brings into the bank what it lacks of these questions, validated. A start at which it lacks none
 * leaves no trace; what an earlier one could not end is ended first.
 *
 * @throws Error when a row that is new is bad
 */
export async function seedQuestions(
  db: Database,
  questions: QuestionRow[],
): Promise<{ imported: number }> {
  let imported = await finishInterrupted(db);
  const lacking = await findLacking(db, questions);
  if (lacking.length > 0) {
    const result = await importRows(db, lacking, SEED);
    if (result.rejected.length > 0) {
      throw new Error(`The bank has bad rows: ${JSON.stringify(result.rejected, null, 2)}`);
    }
    imported += result.imported;
  }
  await validateImports(db);
  return { imported };
}

/** Ends the imports of a seed that was killed, and returns how many questions they have brought. */
async function finishInterrupted(db: Database): Promise<number> {
  // What of its file had not arrived will not come any more.
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

/** Those that the bank does not have as its import would see it: by language and text. */
async function findLacking(db: Database, questions: QuestionRow[]): Promise<QuestionRow[]> {
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
 * Validates what the seed has imported, once: the change that did it says so afterwards, because an
 * administrator may have taken a validation back. Imports without a file are of an earlier seed, which
 * kept no change.
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
