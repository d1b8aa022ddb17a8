import { expect, test } from 'vitest';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { countOpenings } from '#sample/count-openings.ts';
import { readFunnel } from './funnel.ts';

const database = useTestDatabase();

const inYear = async () => (await readFunnel(database.pool, '2025')).rows;

test('each step counts a person once on its day in Oslo, and fewer than five are withheld', async () => {
  const { pool } = database;
  const learners = await Promise.all(Array.from({ length: 6 }, () => createLearner(pool)));
  const quiz = (accountId: string, at: string) =>
    pool.query(
      `insert into quiz (account_id, kind, topic, language, instant_feedback, started_at, total)
       values ($1, 'drill', 'Historie', 'no', true, $2, 10)`,
      [accountId, at],
    );
  for (const [n, { id }] of learners.entries()) {
    // The first day of March in Oslo, and the last of February in UTC.
    await quiz(id, '2025-02-28T23:30:00Z');
    await quiz(id, '2025-03-01T10:00:00Z');
    if (n < 5) await quiz(id, '2025-04-10T10:00:00Z');
    if (n < 4) await quiz(id, '2025-05-10T10:00:00Z');
  }
  await pool.query(`insert into daily_count values ('2025-03-01', 'sample_opened', 40)`);
  const rows = await inYear();
  const of = (period: string) => rows.find((row) => row.period === period);
  expect(of('2025-02')).toMatchObject({ sample: '<5', first_quiz: '<5', came_back: '<5' });
  expect(of('2025-03')).toMatchObject({ sample: 40, first_quiz: 6, came_back: '<5' });
  expect(of('2025-04')).toMatchObject({ first_quiz: '<5', came_back: 5 });
  expect(of('2025-05')).toMatchObject({ first_quiz: '<5', came_back: '<5' });
  const { rows: days, total } = await readFunnel(pool, '2025-03');
  expect(days).toHaveLength(31);
  expect(days.at(-1)).toMatchObject({ period: '2025-03-01', first_quiz: 6 });
  expect(total).toEqual({
    sample: 40,
    registered: '<5',
    paid: '<5',
    first_quiz: 6,
    came_back: '<5',
  });
});

test('an address that begins to register twice in a day counts once, and a first payment once', async () => {
  const { pool } = database;
  const begin = (email: string, settled: string | null, account: string | null) =>
    pool.query(
      `insert into payment (purpose, email, username, amount_ore, service_days, created_at, state,
         account_id, settled_at)
       values ('registration', $1, 'Ny', 14900, 30, '2025-09-10T10:00:00Z',
         case when $2::timestamptz is null then 'open' else 'settled' end, $3, $2)`,
      [email, settled, account],
    );
  for (let n = 0; n < 7; n += 1) {
    const { id } = await createLearner(pool);
    await begin(`person-${n}@example.no`, null, null);
    await begin(`person-${n}@example.no`, '2025-09-11T10:00:00Z', id);
    await begin(`again-${n}@example.no`, '2025-09-20T10:00:00Z', id);
  }
  // Packets of codes are bought by no learner, however many.
  await pool.query(
    `insert into payment (purpose, email, username, amount_ore, service_days, created_at, state, settled_at)
     select 'packet', 'skole@example.no', 'Skole', 74500, 30, at, 'settled', at
     from unnest(array['2025-09-11T09:00:00Z'::timestamptz, '2025-09-12T09:00:00Z']) at`,
  );
  const { rows } = await readFunnel(pool, '2025-09');
  const of = (period: string) => rows.find((row) => row.period === period);
  expect(of('2025-09-10')).toMatchObject({ registered: 14, paid: '<5' });
  expect(of('2025-09-11')).toMatchObject({ paid: 7 });
  expect(of('2025-09-20')).toMatchObject({ paid: '<5' });
});

test('openings of the free sample are written together, also after a failure', async () => {
  const errors: unknown[] = [];
  let isDown = true;
  const query: typeof database.pool.query = ((...args: Parameters<typeof database.pool.query>) =>
    isDown ? Promise.reject(new Error('down')) : database.pool.query(...args)) as never;
  const count = countOpenings({ query }, (error) => errors.push(error));
  for (let n = 0; n < 6; n += 1) count.add();
  await count.close();
  expect(errors).toHaveLength(1);
  isDown = false;
  count.add();
  await count.close();
  const { rows } = await database.pool.query(
    `select count from daily_count where day = (now() at time zone 'Europe/Oslo')::date`,
  );
  expect(rows).toEqual([{ count: 7 }]);
});
