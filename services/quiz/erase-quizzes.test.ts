import { expect, test } from 'vitest';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { countUsers, countUsersWithActivity } from '#accounts/users.ts';
import { withTransaction } from '#database/pool.ts';
import { eraseQuizzes } from './personal-data.ts';

const database = useTestDatabase();

test('erases all quizzes of one learner in batches, and no others', async () => {
  const { pool } = database;
  const [keen, other, idle] = [
    await createLearner(pool),
    await createLearner(pool),
    await createLearner(pool),
  ];
  await pool.query(
    `insert into quiz (account_id, kind, topic, language, instant_feedback, total)
     select $1::uuid, 'drill', 'Historie', 'no', true, 10 from generate_series(1, 1200)
     union all select $2::uuid, 'drill', 'Historie', 'no', true, 10`,
    [keen.id, other.id],
  );
  await pool.query(`update account set state = 'disabled' where id = $1`, [idle.id]);
  expect(await countUsers(pool)).toEqual({ total_users: 3, active_users: 2 });
  expect(await countUsersWithActivity(pool)).toBe(2);
  while (await withTransaction(pool, (tx) => eraseQuizzes(tx, keen.id)));
  const { rows } = await pool.query('select account_id from quiz');
  expect(rows).toEqual([{ account_id: other.id }]);
  expect(await countUsersWithActivity(pool)).toBe(1);
});
