import { readdir } from 'node:fs/promises';
import { beforeEach, expect, test } from 'vitest';
import { migrate } from '@proveklar/services/database/migrate.ts';
import { buyPacket } from '@proveklar/tests/support/codes.ts';
import { countEvents } from '@proveklar/tests/support/count-events.ts';
import { createLearner, createQuestions, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { buyAccess } from '@proveklar/tests/support/pay.ts';
import { startQuizOf } from '@proveklar/tests/support/quizzes.ts';
import { countOpenings } from '#sample/count-openings.ts';
import { readFunnel } from './funnel.ts';
import { emptyTables } from '@proveklar/tests/support/database.ts';

const gateway = useTestGateway();

beforeEach(() => emptyTables(gateway.deps.db, 'daily_count', 'quiz', 'payment'));

/** The counts of all days, by name, with what the workers have to count. */
async function counts(): Promise<Record<string, number>> {
  await countEvents(gateway.deps.db, ['quiz.started']);
  const { rows } = await gateway.deps.db.query<{ name: string; count: number }>(
    'select name, sum(count)::int as count from daily_count group by 1',
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

const count = (day: string, name: string, n: number) =>
  gateway.deps.db.query('insert into daily_count values ($1, $2, $3)', [day, name, n]);

const begin = (email: string) =>
  gateway.call('POST', '/payment/create-registration-intent', {
    body: { email, username: 'Ny' },
  });

const register = (email: string, body = {}) =>
  gateway.call('POST', '/payment/confirm-registration', {
    body: { email, username: 'Ny', password: 'et godt passord', ...body },
  });

test('fewer than five are withheld, and no sum gives them away', async () => {
  await count('2025-03-01', 'sample_opened', 40);
  await count('2025-03-01', 'first_quiz', 6);
  // Alone below five: the month says no more than the other day.
  await count('2025-03-02', 'first_quiz', 4);
  await count('2025-03-02', 'came_back', 5);
  for (const day of ['01', '02', '03', '04']) await count(`2025-04-${day}`, 'first_quiz', 3);
  const year = await readFunnel(gateway.deps.db, '2025');
  const of = (period: string) => year.rows.find((row) => row.period === period);
  expect(of('2025-02')).toMatchObject({ sample: '<5', first_quiz: '<5', came_back: '<5' });
  expect(of('2025-03')).toMatchObject({ sample: 40, first_quiz: 6, came_back: 5, paid: '<5' });
  // Twelve on four days.
  expect(of('2025-04')).toMatchObject({ first_quiz: 10 });
  expect(year.total).toMatchObject({ sample: 40, first_quiz: 21, registered: '<5' });
  const { rows: days, total } = await readFunnel(gateway.deps.db, '2025-03');
  expect(days).toHaveLength(31);
  expect(days.at(-1)).toMatchObject({ period: '2025-03-01', first_quiz: 6 });
  expect(days.at(-2)).toMatchObject({ period: '2025-03-02', first_quiz: '<5' });
  expect(total).toEqual({ ...of('2025-03'), period: undefined });
});

test('a registration counts once for an address, whether it is paid, free or with a code', async () => {
  await setPrice(gateway.deps.db, 149_00);
  const again = uniqueEmail();
  await Promise.all([begin(again), begin(again)]);
  await begin(again.toUpperCase());
  expect(await counts()).toEqual({ registration_begun: 1 });
  // A packet of codes is no registration, and paid by no learner.
  const { codes } = await buyPacket(gateway);
  const withCode = uniqueEmail();
  expect((await register(withCode, { code: codes[0] })).status).toBe(200);
  expect((await register(withCode, { code: codes[1] })).status).toBe(200);
  expect(await counts()).toEqual({ registration_begun: 2 });
  await setPrice(gateway.deps.db, 0);
  const free = uniqueEmail();
  expect((await register(free)).status).toBe(200);
  expect((await register(free)).status).toBe(200);
  expect(await counts()).toEqual({ registration_begun: 3 });
});

test('what a learner did stays counted when the account is deleted', async () => {
  const { db } = gateway.deps;
  await setPrice(db, 149_00);
  await createQuestions(db);
  const { uid, idToken: token } = await gateway.identity.createPasswordUser();
  await buyAccess(gateway, token);
  await buyAccess(gateway, token);
  const { rows } = await db.query<{ id: string }>('select id from account where uid = $1', [uid]);
  const { id } = rows[0]!;
  const quizzes = [await startQuizOf(db, id), await startQuizOf(db, id)];
  expect(await counts()).toEqual({ first_payment: 1, first_quiz: 1 });
  const move = (n: number) =>
    db.query(`update quiz set started_at = started_at - interval '1 day' where id = $1`, [
      quizzes[n]!.id,
    ]);
  await move(0);
  await move(1);
  await startQuizOf(db, id);
  await startQuizOf(db, id);
  expect(await counts()).toMatchObject({ first_quiz: 1, came_back: 1 });
  // A third day.
  await db.query(`update quiz set started_at = started_at - interval '1 day'`);
  await startQuizOf(db, id);
  const before = { first_payment: 1, first_quiz: 1, came_back: 1 };
  expect(await counts()).toEqual(before);
  expect((await gateway.call('DELETE', '/account', { token })).status).toBe(200);
  await emptyTables(db, 'payment');
  expect(await counts()).toEqual(before);
});

test('the migration counts each person once, on the first day in Oslo', async () => {
  const { db, config } = gateway.deps;
  const files = await readdir(new URL('../../migrations', import.meta.url));
  const newer = files.filter((name) => name >= '20261208410000' && name.endsWith('.sql')).length;
  await migrate(config.DATABASE_URL, 'down', newer);
  const { id } = await createLearner(db);
  await db.query(
    `insert into payment (purpose, email, username, amount_ore, service_days, state, created_at, account_id, settled_at)
     values ('registration', 'a@example.no', 'Ny', 14900, 30, 'open', '2025-09-10T10:00:00Z', null, null),
            ('registration', 'a@example.no', 'Ny', 14900, 30, 'settled', '2025-09-11T10:00:00Z', $1, '2025-09-11T10:00:00Z'),
            ('extension', null, null, 14900, 30, 'settled', '2025-10-11T10:00:00Z', $1, '2025-10-11T10:00:00Z'),
            ('packet', 'skole@example.no', 'Skole', 74500, 30, 'settled', '2025-09-11T10:00:00Z', null, '2025-09-11T10:00:00Z')`,
    [id],
  );
  await db.query(
    `insert into quiz (account_id, kind, topic, language, instant_feedback, started_at, total)
     select $1, 'drill', 'Historie', 'no', true, at, 10
     -- The first two are one day in Oslo, and two in UTC.
     from unnest(array['2025-09-11T22:30:00Z', '2025-09-12T10:00:00Z', '2025-09-14T10:00:00Z',
       '2025-09-16T10:00:00Z']::timestamptz[]) at`,
    [id],
  );
  await migrate(config.DATABASE_URL);
  const { rows } = await db.query(
    'select day::text, name, count::int from daily_count order by day, name',
  );
  expect(rows).toEqual([
    { day: '2025-09-10', name: 'registration_begun', count: 1 },
    { day: '2025-09-11', name: 'first_payment', count: 1 },
    { day: '2025-09-12', name: 'first_quiz', count: 1 },
    { day: '2025-09-14', name: 'came_back', count: 1 },
  ]);
});

test('openings of the free sample are written together, also after a failure', async () => {
  const errors: unknown[] = [];
  let isDown = true;
  const query: typeof gateway.deps.db.query = ((
    ...args: Parameters<typeof gateway.deps.db.query>
  ) => (isDown ? Promise.reject(new Error('down')) : gateway.deps.db.query(...args))) as never;
  const count = countOpenings({ query }, (error) => errors.push(error));
  for (let n = 0; n < 6; n += 1) count.add();
  await count.close();
  expect(errors).toHaveLength(1);
  isDown = false;
  count.add();
  await count.close();
  const { rows } = await gateway.deps.db.query(
    `select day = (now() at time zone 'Europe/Oslo')::date as today, count from daily_count
     where name = 'sample_opened'`,
  );
  expect(rows).toEqual([{ today: true, count: 7 }]);
});
