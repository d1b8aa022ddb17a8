import { readdir, readFile } from 'node:fs/promises';
import type { Database } from '@proveklar/services/database/pool.ts';
import { importQuestions, validateImport } from '@proveklar/services/imports/import-questions.ts';

const DIRECTORY = new URL('questions/', import.meta.url);

/** Loads the bank through the import, and validates what is new. A bad row ends the seed. */
export async function seedQuestions(db: Database): Promise<void> {
  const files = (await readdir(DIRECTORY)).filter((name) => name.endsWith('.json')).toSorted();
  const result = await importQuestions(db, rowsOf(files), 'seed');
  if (result.rejected.length > 0) {
    throw new Error(`The bank has bad rows: ${JSON.stringify(result.rejected, null, 2)}`);
  }
  await validateImport(db, result.import_id);
}

async function* rowsOf(files: string[]): AsyncGenerator {
  for (const file of files) yield* JSON.parse(await readFile(new URL(file, DIRECTORY), 'utf8'));
}
