import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QUEUES } from '@proveklar/services/events/catalogue.ts';
import { openQueueBackend } from '@proveklar/services/events/queue-backend.ts';
import { readProcesses } from '@proveklar/services/database/processes.ts';
import { addDays } from '#support/factories.ts';
import { fileRow } from '#support/imports.ts';
import { newLearner } from '#support/journey.ts';
import { ApiLearner } from '#support/learner.ts';
import { connectLive } from '#support/live.ts';
import { startStack, type TestStack } from '#support/stack.ts';
import { METRICS, type MetricName } from './metric-names.ts';
import { scrape, type Scrape } from './scrape.ts';

const PASSWORD = 'an-operator-password';
const environment = { OPERATORS_PASSWORD: PASSWORD, VERSION: 'v1' };
let stack: TestStack;
const begun = Date.now();
beforeAll(async () => {
  stack = await startStack({ environment });
});
afterAll(() => stack?.close());

const POLL = { interval: 500 };
const KINDS = ['gateway', 'workers'] as const;
const urlOf = (kind: (typeof KINDS)[number]) =>
  kind === 'gateway' ? stack.gatewayOperatorsUrl : stack.operatorsUrl;

const LEARNERS = 4;
const QUESTIONS = 10;
const ROWS = 25;
const sum = async (text: string): Promise<number> => {
  const { rows } = await stack.database.pool.query(`select (${text})::float8 as n`);
  return rows[0].n as number;
};

describe('the metrics of a service under load', () => {
  let gateway: Scrape;
  let workers: Scrape;
  let streams: { close: () => void }[] = [];

  afterAll(() => {
    for (const stream of streams) stream.close();
  });

  // The other tests read the metrics of this one's load and faults.
  test('appear after load and faults', async () => {
    const { url, identity, database } = stack;
    const learners = await Promise.all(Array.from({ length: LEARNERS }, () => newLearner(stack)));
    await Promise.all(
      learners.map(async (learner) => {
        const api = await ApiLearner.signIn(stack, learner);
        await api.answer(await api.start({ topic: 'Historie', question_count: QUESTIONS }));
      }),
    );
    const payer = await ApiLearner.signIn(stack, learners[0]!);
    await payer.pay();
    const { idToken } = await identity.createPasswordUser();
    await addDays(database.pool, await identity.createPasswordUser(), 1);
    streams = await Promise.all([1, 2].map(() => connectLive(url, idToken)));
    const admin = await identity.signInWithGoogle({ email: 'admin@example.no' });
    const rows = Array.from({ length: ROWS }, (_, n) => fileRow(`Hva er nummer ${n}?`));
    const sent = await fetch(`${url}/api/v1/import/questions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.idToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(rows),
    });
    expect(sent.status).toBeLessThan(300);
    await fetch(`${url}/api/v1/nowhere`);
    await fetch(`${url}/api/v1/nowhere/else`);
    await fetch(`${url}/api/v1/account`);

    // A fault of each kind: a rejected event, a failed job, a payment that needs a person, an old backup, a
    // paused queue, broken connections.
    await database.pool.query(`insert into outbox (name, payload) values ('service.ending', '{}')`);
    await database.pool.query(`update payment set attention = 'mismatch'`);
    await database.pool.query(
      `insert into backup_run (started_at, bytes) values (now() - interval '27 hours', 1)`,
    );
    await database.pool.query(
      `insert into backup_copy (dumped_at, tried_at, sent_at, verified_at, verified_rows)
       values (now() - interval '29 hours', now() - interval '28 hours', now() - interval '28 hours', null, null)`,
    );
    const backend = openQueueBackend(database.url);
    const changes = backend.openQueue('changes');
    await changes.pause();
    await changes.close();
    const mail = backend.openQueue('mail');
    // Its workers have no handler for it.
    await mail.add('quiz.ended', { batch_id: randomUUID() });
    await mail.close();
    await backend.close();
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'gateway' and datname = current_database() and state = 'idle'`,
    );
    const left = () =>
      sum(`(select count(*) from outbox) +
           (select count(*) from event_delivery where done_at is null and queue not in ('mail', 'changes'))`);
    await expect.poll(left, POLL).toBe(0);
    const failed = async () =>
      (await scrape(urlOf('workers'))).value('proveklar_jobs', { queue: 'mail', state: 'failed' });
    await expect.poll(failed, POLL).toBe(1);
    const rejected = async () =>
      (await scrape(urlOf('workers'))).value('proveklar_rejected_events', { queue: 'mail' });
    await expect.poll(rejected, POLL).toBe(1);
    // A canary waits in the paused queue.
    const waits = async () =>
      (await scrape(urlOf('workers'))).value('proveklar_queue_oldest_seconds', {
        queue: 'changes',
      });
    await expect.poll(waits, POLL).toBeGreaterThan(0);
    const canaries = async () =>
      (await scrape(urlOf('workers'))).samples.filter(
        ({ name }) => name === 'proveklar_canary_age_seconds',
      ).length;
    await expect.poll(canaries, POLL).toBeGreaterThanOrEqual(QUEUES.length - 1);
    const processed = async () =>
      (await scrape(urlOf('workers'))).sum('proveklar_webhook_delay_seconds_count', {
        stage: 'processed',
      });
    await expect.poll(processed, POLL).toBeGreaterThan(0);
    [gateway, workers] = await Promise.all([scrape(urlOf('gateway')), scrape(urlOf('workers'))]);
  });

  test.each(Object.keys(METRICS) as MetricName[])('include %s', (name) => {
    const { labels, of } = METRICS[name];
    for (const kind of KINDS) {
      const { types, samples } = kind === 'gateway' ? gateway : workers;
      expect(types.has(name), kind).toBe((of as readonly string[]).includes(kind));
      const own = samples.filter(
        (sample) => sample.name.replace(/_(bucket|sum|count)$/, '') === name,
      );
      for (const sample of own) {
        const given = Object.keys(sample.labels).filter((label) => label !== 'le');
        expect(given.toSorted()).toEqual([...labels].toSorted());
      }
    }
  });

  test('have at most a hundred values per label', () => {
    const values = new Map<string, Set<string>>();
    for (const { name, labels } of [...gateway.samples, ...workers.samples]) {
      for (const [label, value] of Object.entries(labels)) {
        const key = `${name} ${label}`;
        values.set(key, (values.get(key) ?? new Set()).add(value));
      }
    }
    expect([...values].filter(([, of]) => of.size > 100)).toEqual([]);
    expect(values.get('proveklar_http_requests_total route')).toContain('unmatched');
  });

  test('count requests by route and status', () => {
    const count = (route: string, status: number, name = 'proveklar_http_requests_total') =>
      gateway.sum(name, { route, status: String(status) });
    expect(count('/api/v1/quiz/start', 200)).toBe(LEARNERS);
    expect(count('/api/v1/quiz/:id/answer', 200)).toBe(LEARNERS * QUESTIONS);
    const duration = 'proveklar_http_request_duration_seconds_count';
    expect(count('/api/v1/quiz/:id/answer', 200, duration)).toBe(LEARNERS * QUESTIONS);
    expect(count('unmatched', 404)).toBe(2);
    expect(count('/api/v1/account', 401)).toBe(1);
    expect(
      gateway.sum('proveklar_http_requests_total', { route: '/api/v1/import/questions' }),
    ).toBe(1);
    for (const route of ['/api/v1/import/questions', '/api/v1/events']) {
      expect(gateway.sum(duration, { route })).toBe(0);
    }
    expect(gateway.value('proveklar_live_streams')).toBe(streams.length);
  });

  test('count events as the database does', async () => {
    const { rows } = await stack.database.pool.query<{ name: string; events: number }>(
      `select name, sum(jsonb_array_length(events))::int as events from event_batch
       where name <> 'canary.sent' group by name`,
    );
    for (const { name, events } of rows) {
      expect(workers.value('proveklar_events_total', { event: name }), name).toBe(events);
    }
    const counted = Object.fromEntries(rows.map(({ name, events }) => [name, events]));
    expect(counted).toMatchObject({
      'quiz.started': LEARNERS,
      'answer.submitted': LEARNERS * QUESTIONS,
      'payment.succeeded': 1,
      'account.registered': await sum('select count(*) from account'),
    });
  });

  test('cover queues and jobs', async () => {
    for (const queue of QUEUES) {
      const fails = workers.value('proveklar_jobs_failed_total', { queue });
      expect(fails, queue).toBe(queue === 'mail' ? 1 : 0);
      expect(workers.value('proveklar_jobs_stalled_total', { queue }), queue).toBe(0);
      const isPaused = workers.value('proveklar_queue_paused', { queue });
      expect(isPaused, queue).toBe(queue === 'changes' ? 1 : 0);
      const age = workers.value('proveklar_queue_oldest_seconds', { queue })!;
      if (queue === 'changes') expect(age).toBeGreaterThan(0);
    }
    expect(workers.value('proveklar_outbox_events')).toBe(0);
    expect(workers.value('proveklar_outbox_oldest_seconds')).toBe(0);
    const oldest = await sum(
      `select extract(epoch from clock_timestamp() - min(created_at)) from event_batch
       join event_delivery on batch_id = id where done_at is null`,
    );
    const read = workers.value('proveklar_oldest_unconsumed_seconds')!;
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(oldest);
    expect(workers.sum('proveklar_job_duration_seconds_count', { queue: 'statistics' })).toBe(
      await sum(`select count(*) from event_delivery where queue = 'statistics'
                   and done_at is not null
                   and batch_id in (select id from event_batch where name <> 'canary.sent')`),
    );
  });

  test('cover payments, imports and backups', async () => {
    expect(workers.value('proveklar_payments_attention')).toBe(
      await sum('select count(*) from payment where attention is not null'),
    );
    expect(workers.value('proveklar_webhook_last_timestamp_seconds')).toBeCloseTo(
      await sum(`select extract(epoch from max(received_at)) from stripe_event
                 where source = 'webhook'`),
      0,
    );
    expect(gateway.sum('proveklar_webhook_delay_seconds_count', { stage: 'stored' })).toBe(
      await sum(`select count(*) from stripe_event where source = 'webhook'`),
    );
    // In seconds: milliseconds would be more than the duration of this test.
    const stage = (name: string) => ({ stage: name });
    const counted = gateway.sum('proveklar_webhook_delay_seconds_count', stage('stored'));
    const most = counted * ((Date.now() - begun) / 1000 + 1);
    const delays = 'proveklar_webhook_delay_seconds_sum';
    expect(gateway.sum(delays, stage('stored'))).toBeLessThan(most);
    expect(workers.sum(delays, stage('processed'))).toBeLessThan(most);
    expect(workers.value('proveklar_import_rows_total')).toBe(ROWS);
    expect(workers.value('proveklar_imports', { state: 'completed' })).toBe(
      await sum(`select count(*) from question_import where state = 'completed'`),
    );
    expect(workers.value('proveklar_backup_age_seconds')! / 3600).toBeCloseTo(27, 0);
    expect(workers.value('proveklar_offsite_backup_age_seconds')! / 3600).toBeCloseTo(29, 0);
    // None was restored yet: since the first attempt to send one.
    expect(workers.value('proveklar_restore_test_age_seconds')! / 3600).toBeCloseTo(28, 0);
  });

  test('cover connections and running processes', async () => {
    expect(gateway.value('proveklar_db_errors_total', { sqlstate: '57P01' })).toBeGreaterThan(0);
    for (const kind of KINDS) {
      const { value, sum: total } = kind === 'gateway' ? gateway : workers;
      const open = total('proveklar_db_pool_connections');
      expect(open).toBeLessThanOrEqual(20);
      expect(value('proveklar_db_pool_connections', { state: 'idle' })).toBeLessThanOrEqual(open);
      expect(value('proveklar_db_pool_waiting')).toBe(0);
      expect(value('proveklar_build_info', { kind, version: 'v1' })).toBe(1);
    }
    const processes = await readProcesses(stack.database.pool);
    expect(processes).toMatchObject([
      { kind: 'gateway', version: 'v1' },
      { kind: 'workers', version: 'v1' },
    ]);
    for (const { seen_seconds_ago } of processes) expect(seen_seconds_ago).toBeLessThan(15);
  });
});

test.each(KINDS)('the admin port of the %s asks for the password behind a proxy', async (kind) => {
  const url = urlOf(kind);
  const proxied = { 'x-forwarded-for': '192.0.2.7' };
  const known = { authorization: `Basic ${btoa(`operator:${PASSWORD}`)}` };
  const wrong = { authorization: `Basic ${btoa('operator:another-password')}` };
  const ask = async (path: string, headers: Record<string, string>, method = 'GET') =>
    (await fetch(`${url}${path}`, { method, headers })).status;
  expect(await ask('/metrics', {})).toBe(200);
  expect(await ask('/metrics', proxied)).toBe(401);
  expect(await ask('/metrics', { ...proxied, ...wrong })).toBe(401);
  expect(await ask('/metrics', { ...proxied, ...known })).toBe(200);
  expect(await ask('/nowhere', proxied)).toBe(401);
  expect(await ask('/metrics', { 'sec-fetch-site': 'cross-site' }, 'PUT')).toBe(403);
  expect(await ask('/health/live', proxied)).toBe(200);
  expect([200, 503]).toContain(await ask('/health/ready', proxied));
});
