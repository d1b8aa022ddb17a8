import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createPool } from '@proveklar/services/database/pool.ts';
import { rebuildAccount } from '@proveklar/services/learning/record-answers.ts';
import { allConsumed } from '#support/consumed.ts';
import { addDays, createQuestions } from '#support/factories.ts';
import { printTable } from '#support/figures.ts';
import { useTestGateway } from '#support/gateway.ts';
import type { SignedIn } from '#support/identity.ts';
import { bySize } from '#support/settings.ts';
import { queueBackends } from '#support/shared.ts';
import { useTestWorkers } from '#support/workers.ts';

// deploy/postgres/partition-by-month.sql, as docs/operations/growing.md says to use it.

const SCRIPT = join(import.meta.dirname, '../../deploy/postgres/partition-by-month.sql');
/** Quizzes of ten questions, over the past year. */
const QUIZZES = bySize({ quick: 100, large: 300, full: 30_000 });

const gateway = useTestGateway();
const workers = useTestWorkers();
let learners: SignedIn[];

beforeAll(async () => {
  const { db } = gateway.deps;
  await createQuestions(db, { topic: 'Historie', count: 60 });
  learners = await Promise.all([1, 2, 3].map(() => gateway.identity.createPasswordUser()));
  for (const learner of learners) await addDays(db, learner, 30);
  // The third answers in the tests.
  await db.query(PAST, [QUIZZES, learners.slice(0, 2).map(({ uid }) => uid)]);
  const { rows } = await db.query<{ id: string }>('select id from account');
  for (const { id } of rows) await rebuildAccount(db, id);
  await db.query(await readFile(SCRIPT, 'utf8'));
});

/** All that learners are shown of the past year, and all rows of it. */
async function seen(of: SignedIn[]): Promise<unknown> {
  const shown = of.map(async ({ idToken: token }) => {
    const paths = ['/quiz/history', '/quiz/progress', '/learning?language=no'];
    const answers = await Promise.all(paths.map((path) => gateway.call('GET', path, { token })));
    for (const { status } of answers) expect(status).toBe(200);
    return answers.map(({ body }) => body as unknown);
  });
  const { rows } = await gateway.deps.db.query(ROWS, [of.map(({ uid }) => uid)]);
  return { shown: await Promise.all(shown), rows };
}

/** Answers quizzes of ten questions, one after the other, until it is told to stop. */
function answering({ idToken: token }: SignedIn) {
  const over = new AbortController();
  const given: number[] = [];
  const end = (async () => {
    while (!over.signal.aborted) {
      const body = { topic: 'Historie', question_count: 10 };
      const { body: quiz } = await gateway.call('POST', '/quiz/start', { token, body });
      for (const { uuid, options } of quiz.questions) {
        const sentAt = performance.now();
        const { status } = await gateway.call('POST', `/quiz/${quiz.id}/answer`, {
          token,
          body: { question_id: uuid, answer: options[0] },
        });
        expect(status).toBe(200);
        given.push(performance.now() - sentAt);
      }
    }
  })();
  return {
    given,
    stop: async () => {
      over.abort();
      await end;
    },
  };
}

const accountOf = async ({ uid }: SignedIn): Promise<string> => {
  const { rows } = await gateway.deps.db.query<{ id: string }>(
    'select id from account where uid = $1',
    [uid],
  );
  return rows[0]!.id;
};

const PARTITION = `
  call partition_by_month(array['quiz', 'quiz_question', 'quiz_answer'], array['id', 'quiz_id', 'quiz_id'])`;

test('a table that another transaction holds is left as it is, until the next call', async () => {
  const holder = await gateway.deps.db.connect();
  await holder.query('begin');
  await holder.query('select from quiz_answer limit 1');
  await expect(gateway.deps.db.query(PARTITION)).rejects.toThrow('lock timeout');
  await holder.query('rollback');
  holder.release();
});

test('quizzes are partitioned by month while they are answered, and nothing that is read changes', async () => {
  const { db } = gateway.deps;
  const [one, other, busy] = learners as [SignedIn, SignedIn, SignedIn];
  const before = await seen([one, other]);
  const { rows: sizes } = await db.query<{ bytes: number }>(
    `select (pg_total_relation_size('quiz') + pg_total_relation_size('quiz_question')
             + pg_total_relation_size('quiz_answer'))::float8 as bytes`,
  );
  const load = answering(busy);
  await expect.poll(() => load.given.length).toBeGreaterThan(20);
  const startedAt = performance.now();
  await db.query(PARTITION);
  const seconds = (performance.now() - startedAt) / 1000;
  const during = load.given.length;
  await expect.poll(() => load.given.length).toBeGreaterThan(during + 20);
  await load.stop();
  printTable('Partitioned by month', {
    'answers of the past year': QUIZZES * 10,
    'bytes of each on the disk': Math.round(sizes[0]!.bytes / QUIZZES / 10),
    seconds: seconds.toFixed(2),
    'answers given meanwhile': during,
    'slowest of them in ms': Math.round(Math.max(...load.given)),
  });

  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int from quiz_answer join quiz on quiz.id = quiz_id
     where account_id = $1`,
    [await accountOf(busy)],
  );
  expect(rows[0]!.count).toBe(load.given.length);
  expect(await seen([one, other])).toEqual(before);
  expect(await invalidReferences()).toEqual([]);
  await expect(db.query(PARTITION)).rejects.toThrow('quiz is partitioned already');
});

/** Foreign keys that were not checked, and those between the tables that are missing. */
async function invalidReferences(): Promise<unknown[]> {
  const { rows } = await gateway.deps.db.query(
    `select conrelid::regclass::text as table, conname from pg_constraint where contype = 'f' and not convalidated
     union all
     select name, 'has none to ' || referred
     from (values ('quiz_question', 'quiz'), ('quiz_answer', 'quiz_question'), ('feedback', 'quiz'),
                  ('measured_quiz', 'quiz'), ('regraded_quiz', 'quiz'), ('event_delivery', 'event_batch')) as t (name, referred)
     where not exists (select from pg_constraint where contype = 'f' and conparentid = 0
                         and conrelid = name::regclass and confrelid = referred::regclass)`,
  );
  return rows;
}

test('what learners remember is the same when it is computed again from the partitions', async () => {
  const { db } = gateway.deps;
  const accounts = await Promise.all(learners.slice(0, 2).map(accountOf));
  const remembered = async () =>
    (await db.query(REMEMBERED, [accounts])).rows as Record<string, unknown>[];
  const before = await remembered();
  expect(before.length).toBeGreaterThan(50);
  await db.query('delete from learner_question where account_id = any ($1)', [accounts]);
  for (const account of accounts) await rebuildAccount(db, account);
  expect(await remembered()).toEqual(before);
});

test('a quiz of a later month is in its own partition, and is played and deleted like any other', async () => {
  const { db } = gateway.deps;
  const later = await gateway.identity.createPasswordUser();
  const accountId = await addDays(db, later, 30);
  const { idToken: token } = later;
  const { rows } = await db.query<{ id: string; part: string }>(
    `insert into quiz (id, account_id, kind, topic, language, instant_feedback, total)
     values (uuidv7(interval '70 days'), $1, 'drill', 'Historie', 'no', true, 10)
     returning id, tableoid::regclass::text as part`,
    [accountId],
  );
  const { id, part } = rows[0]!;
  expect(part).toMatch(/^quiz_\d{4}_\d{2}$/);
  const { rows: far } = await db.query<{ part: string }>(
    `insert into quiz (id, account_id, kind, topic, language, instant_feedback, total)
     values (uuidv7(interval '3 years'), $1, 'drill', 'Historie', 'no', true, 10)
     returning tableoid::regclass::text as part`,
    [accountId],
  );
  expect(far).toEqual([{ part: 'quiz_default' }]);
  await db.query(
    `insert into quiz_question (quiz_id, question_id, position)
     select $1, id, row_number() over (order by id) from question order by id limit 10`,
    [id],
  );
  const { body: quiz } = await gateway.call('GET', `/quiz/${id}`, { token });
  for (const { uuid, options } of quiz.questions) {
    const body = { question_id: uuid, answer: options[0] };
    expect((await gateway.call('POST', `/quiz/${id}/answer`, { token, body })).status).toBe(200);
  }
  expect((await gateway.call('POST', `/quiz/${id}/end`, { token })).status).toBe(200);
  const { body } = await gateway.call('GET', '/quiz/history', { token });
  expect(body.history.map((run: { id: string }) => run.id)).toEqual([id]);
  expect((await gateway.call('DELETE', '/account', { token })).status).toBe(200);
  // There is no mail server here.
  await db.query(`delete from outbox where name = 'account.deleted'`);
  const { rows: left } = await db.query('select from quiz where account_id = $1', [accountId]);
  expect(left).toEqual([]);
});

test('quizzes of old months are read from a slower disk as before', async () => {
  const before = await seen(learners);
  const superuser = new URL(gateway.database.url);
  superuser.username = 'postgres';
  superuser.password = 'postgres';
  const pool = createPool(superuser.href, { applicationName: 'test' });
  const admin = await pool.connect();
  const disk = `slow_${process.pid}`;
  const { rows } = await admin.query<{ name: string }>(
    `select relname as name from pg_class
     where relname ~ '^quiz(_question|_answer)?_before_[0-9_]+$' and relkind = 'r'`,
  );
  expect(rows).toHaveLength(3);
  const moveTo = async (place: string) => {
    for (const { name } of rows) await admin.query(`alter table ${name} set tablespace ${place}`);
  };
  onTestFinished(async () => {
    await moveTo('pg_default');
    await admin.query(`drop tablespace ${disk}`);
    admin.release();
    await pool.end();
  });
  // A folder of the cluster, in place of a disk.
  await admin.query('set allow_in_place_tablespaces = on');
  await admin.query(`create tablespace ${disk} location ''`);
  await moveTo(disk);
  expect(await seen(learners)).toEqual(before);
});

let areEventsPartitioned = false;

describe.each(await queueBackends())('with queues on $name', ({ redisUrl }) => {
  test('batches of events are partitioned while workers consume them', async () => {
    const { db } = gateway.deps;
    const { start } = await workers.on(gateway, redisUrl);
    start();
    const load = answering(learners[2]!);
    await expect.poll(() => load.given.length).toBeGreaterThan(50);
    if (!areEventsPartitioned) {
      areEventsPartitioned = true;
      await gateway.deps.db.query(
        `call partition_by_month(array['event_batch', 'event_delivery'], array['id', 'batch_id'])`,
      );
    }
    const before = load.given.length;
    await expect.poll(() => load.given.length).toBeGreaterThan(before + 50);
    await load.stop();
    await allConsumed(db);
    const { rows } = await db.query<{ given: number; counted: number }>(
      `select (select count(*)::int from quiz_answer join quiz on quiz.id = quiz_id where account_id = $1) as given,
              (select sum(times_selected)::int from question_statistics) as counted`,
      [await accountOf(learners[2]!)],
    );
    expect(rows[0]!.counted).toBe(rows[0]!.given);
    expect(await invalidReferences()).toEqual([]);
  });
});

const PAST = `
  with past as materialized (
    select n, uuidv7(began - clock_timestamp()) as quiz_id, began,
           (select id from account where uid = ($2::text[])[1 + n % cardinality($2::text[])]) as account_id
    from generate_series(0, $1::int - 1) n
    cross join lateral (select clock_timestamp() - interval '1 year' * (1 - n / $1::int::float8) as began) times
  ), quizzes as (
    insert into quiz (id, account_id, kind, topic, language, instant_feedback, state, started_at, ended_at, score, total)
    select quiz_id, account_id, 'drill', 'Historie', 'no', true, 'ended', began, began + interval '10 minutes', 7, 10
    from past
  ), asked as (
    select n, quiz_id, began, id as question_id, position, answer, incorrect[1] as wrong
    from past cross join generate_series(1, 10) position
    join (select id, answer, incorrect, row_number() over (order by id) as number from question) question
      on number = 1 + (n * 7 + position) % 60
  ), questions as (
    insert into quiz_question (quiz_id, question_id, position) select quiz_id, question_id, position from asked
  )
  insert into quiz_answer (quiz_id, question_id, answer, correct, answered_at)
  select quiz_id, question_id, case when position % 3 = 0 then wrong else answer end, position % 3 <> 0,
         began + interval '30 seconds' * position
  from asked`;

const ROWS = `
  select account_id, count(*)::int, md5(string_agg(quiz::text || quiz_question::text || quiz_answer::text, '' order by quiz_question))
  from quiz join quiz_question on quiz_question.quiz_id = quiz.id
  join quiz_answer using (quiz_id, question_id)
  where account_id in (select id from account where uid = any ($1))
  group by 1 order by 1`;

const REMEMBERED = `
  select account_id, question_id, stability, difficulty, due_on, times_shown, times_right, first_correct,
         last_correct, last_answered_at
  from learner_question where account_id = any ($1) order by 1, 2`;
