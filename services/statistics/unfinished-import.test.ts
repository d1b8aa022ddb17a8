import { expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { fileRow, importFile } from '@proveklar/tests/support/imports.ts';
import { dismissQuality } from './review-queue.ts';
import { readQuestionStatistics } from './question-statistics.ts';

const database = useTestDatabase();

test('a question of an unfinished import has no statistics and no dismissals', async () => {
  const { id: importId } = await importFile(database.pool, [fileRow('A?')], { dryRun: true });
  const { rows } = await database.pool.query<{ id: number }>('select id from question');
  const { id } = rows[0]!;
  const notFound = { code: 'question_not_found' };
  const dismiss = () => dismissQuality(database.pool, id, 'reported', 'admin@example.no');
  await expect(readQuestionStatistics(database.pool, id)).rejects.toMatchObject(notFound);
  await expect(dismiss()).rejects.toMatchObject(notFound);
  await database.pool.query(`update question_import set state = 'completed' where id = $1`, [
    importId,
  ]);
  expect(await readQuestionStatistics(database.pool, id)).toMatchObject({ id, answers: 0 });
  await dismiss();
});
