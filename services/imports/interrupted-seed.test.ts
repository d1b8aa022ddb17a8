import { expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { fileRow } from '@proveklar/tests/support/imports.ts';
import { importQuestions } from './import-questions.ts';

const database = useTestDatabase();

test('questions whose loading was interrupted are loaded again', async () => {
  const rows = [fileRow('A?'), fileRow('B?')];
  await importQuestions(database.pool, rows, 'seed');
  // As a process leaves it that ends in the middle.
  await database.pool.query(`update question_import set state = 'processing', ended_at = null`);
  expect(await importQuestions(database.pool, rows, 'seed')).toMatchObject({ imported: 2 });
  const { rows: states } = await database.pool.query('select state from question_import');
  expect(states).toEqual([{ state: 'completed' }]);
});
