import { expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { withTransaction } from './pool.ts';

const database = useTestDatabase();

test('a connection lost in a transaction fails only that transaction', async () => {
  const lost = withTransaction(database.pool, async (tx) => {
    const { rows } = await tx.query('select pg_backend_pid() as pid');
    await database.pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
    await tx.query('select 1');
  });
  // Without a listener, the error of the connection would end the process, and vitest would report it.
  await expect(lost).rejects.toThrow(/terminat|connection error/);
  const { rows } = await database.pool.query('select 1 as alive');
  expect(rows).toEqual([{ alive: 1 }]);
});
