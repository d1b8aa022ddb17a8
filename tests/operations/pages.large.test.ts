import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRedis } from '@proveklar/local/redis.ts';
import { freePorts } from '@proveklar/local/ports.ts';
import type { Child } from '@proveklar/local/processes.ts';
import { QUEUES, type QueueName } from '@proveklar/services/events/catalogue.ts';
import {
  openQueueBackend,
  prepareQueueBackend,
  type JobQueue,
  type QueueBackend,
} from '@proveklar/services/events/queue-backend.ts';
import { readPauses, setQueuesPaused } from '@proveklar/services/events/queue-pauses.ts';
import { readOpenRejections } from '@proveklar/services/events/rejected-events.ts';
import { createRegistry } from '@proveklar/operators/metrics/process-metrics.ts';
import { createStatusReader, type Status } from '@proveklar/operators/status/status.ts';
import { findingsOf } from '#support/axe.ts';
import { openContext, useBrowser } from '#support/browser.ts';
import { useTestDatabase } from '#support/database.ts';
import { layoutFaultsOf } from '#support/layout.ts';
import { photograph, pictureProfile } from '#support/photograph.ts';
import { board } from '@proveklar/operators/board.ts';
import { buildOperatorsApp, listenForOperators } from '@proveklar/operators/listener.ts';
import { statusRoutes } from '@proveklar/operators/status/page.ts';

const database = useTestDatabase();
const CONFIG = { OPERATORS_HOST: '127.0.0.1', OPERATORS_PORT: 0 };
const ALLOWED = [
  'PUT /queues/api/queues/:queueName/:jobId/retry',
  'PUT /queues/api/queues/:queueName/pause',
  'PUT /queues/api/queues/:queueName/resume',
  'PUT /queues/api/queues/:queueName/retry/:queueStatus',
  'PUT /queues/api/queues/pause',
  'PUT /queues/api/queues/resume',
];
let provider: FastifyInstance;
const browser = useBrowser();

describe.each(['postgres', 'redis'] as const)('on %s', (kind) => {
  let redis: Child | undefined;
  let redisPort = 0;
  let backend: QueueBackend;
  let queues: Map<QueueName, JobQueue>;
  let app: FastifyInstance;
  let url: string;
  const routes: string[] = [];
  const logged: Record<string, unknown>[] = [];

  beforeAll(async () => {
    [redisPort = 0] = await freePorts(1);
    if (kind === 'redis') redis = await startOwnRedis(redisPort);
    const queueUrl = redis ? `redis://127.0.0.1:${redisPort}` : database.url;
    await prepareQueueBackend(queueUrl);
    backend = openQueueBackend(queueUrl);
    queues = new Map(QUEUES.map((name) => [name, backend.openQueue(name)]));
    const readStatus = createStatusReader({
      db: database.pool,
      backend,
      queues,
      identity: {
        projectId: 'demo-proveklar',
        apiKey: 'local',
        emulatorHost: await startProvider(),
      },
      isProduction: false,
    });
    const { log } = Fastify({
      logger: { stream: { write: (line: string) => logged.push(JSON.parse(line)) } },
    });
    app = await buildOperatorsApp({
      kind: 'workers',
      config: CONFIG,
      log,
      checks: {},
      registry: createRegistry({ kind: 'workers', version: 'test' }),
      pages: [
        async (scope) => {
          scope.addHook('onRoute', ({ method, url: path }) => {
            routes.push(...[method].flat().map((one) => `${one} ${path}`));
          });
          await scope.register(
            board(
              queues,
              () => readOpenRejections(database.pool),
              (change) => setQueuesPaused(database.pool, { ...change, by: 'operator' }),
            ),
          );
        },
        statusRoutes(readStatus),
      ],
    });
    url = `http://127.0.0.1:${await listenForOperators(app, CONFIG)}`;
  });
  afterAll(async () => {
    await app?.close();
    await Promise.all([...(queues?.values() ?? [])].map((queue) => queue.close()));
    await backend?.close();
    await provider?.close();
    await redis?.stop();
  });

  const countOf = async (state: 'failed' | 'waiting') =>
    (await queues.get('mail')!.getJobCounts(state))[state];
  const readStatus = async () => (await (await fetch(`${url}/status.json`)).json()) as Status;

  test('Bull Board refuses everything but reading, pausing, resuming and retrying', async () => {
    const changing = routes.filter((route) => !/^(GET|HEAD) /.test(route));
    expect(changing.length).toBeGreaterThan(15);
    const outcomes = await Promise.all(
      changing.map(async (route) => {
        const [method = '', path = ''] = route.split(' ', 2);
        const filled = path
          .replace(':queueName', 'regrades')
          .replace(':queueStatus', 'failed')
          .replaceAll(/:\w+/g, 'none');
        const { status } = await fetch(`${url}${filled}`, { method });
        return { route, status };
      }),
    );
    const passed = outcomes.filter(({ status }) => status !== 403).map(({ route }) => route);
    expect(passed.toSorted()).toEqual(ALLOWED);
    const completed = `${url}/queues/api/queues/mail/retry/completed`;
    expect((await fetch(completed, { method: 'PUT' })).status).toBe(403);
    await fetch(`${url}/queues/api/queues/resume`, { method: 'PUT' });
  });

  test('Bull Board pauses a queue and retries a failed job, and shows no personal data', async () => {
    const failing = backend.openWorker(
      'mail',
      async () => {
        throw new Error('421 try later: kari@example.no');
      },
      {},
    );
    await queues.get('mail')!.add(
      'payment.succeeded',
      // Data that we never write: Bull Board must not show it.
      { batch_id: 'batch-1', email: 'ola@example.no' } as { batch_id: string },
      { jobId: 'batch-1', attempts: 1 },
    );
    await expect.poll(() => countOf('failed')).toBe(1);
    await failing.close();
    const answers = await Promise.all(
      ['queues?activeQueue=mail&status=failed&page=1&jobsPerPage=10', 'queues/mail/batch-1'].map(
        async (path) => (await fetch(`${url}/queues/api/${path}`)).text(),
      ),
    );
    expect(answers[0]).toContain('421 try later: [address]');
    expect(answers.join('')).not.toContain('@example.no');

    const context = await openContext(browser.current, pictureProfile(1200, 600));
    const page = await context.newPage();
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) foreign.push(request.url());
    });
    await page.goto(`${url}/queues/queue/mail?status=failed`);
    await page.getByText('payment.succeeded').waitFor();
    if (kind === 'redis') {
      await page.getByText('Data', { exact: true }).click();
      await page.getByText('batch_id').waitFor();
      await photograph(page, 'queue-dashboard', ['light']);
    }
    await page.getByRole('button', { name: 'Retry all' }).click();
    const confirm = page.getByRole('button', { name: 'Confirm' });
    await confirm.click();
    await expect.poll(() => countOf('waiting')).toBe(1);
    expect(await page.getByRole('button', { name: 'Clean all' }).isVisible()).toBe(false);

    await page.goto(`${url}/queues/queue/live`);
    // The queue's own menu. The page has another one, of all queues, and shows it first.
    await page.locator('button[class*="trigger"]:has(.lucide-ellipsis-vertical)').click();
    const pause = page.getByRole('menuitem', { name: 'Pause', exact: true });
    await pause.waitFor();
    expect(await page.getByRole('menuitem', { name: 'Obliterate' }).isVisible()).toBe(false);
    await pause.click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect.poll(() => queues.get('live')!.isPaused()).toBe(true);
    expect(foreign).toEqual([]);
    await context.close();
    // Otherwise the workers would resume it.
    const pauses = await readPauses(database.pool);
    expect(pauses.filter(({ paused }) => paused)).toMatchObject([
      { queue: 'live', by: 'operator' },
    ]);

    // Logged after the response, which comes after the pause.
    await expect
      .poll(() => logged)
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ msg: 'queues: changed', action: 'retry all', queue: 'mail' }),
          expect.objectContaining({ msg: 'queues: changed', action: 'pause', queue: 'live' }),
          expect.objectContaining({ msg: 'queues: refused' }),
        ]),
      );
    const status = await readStatus();
    expect(status.queues.find(({ name }) => name === 'live')).toMatchObject({
      level: 'warning',
      counts: { isPaused: true },
    });
    expect(JSON.stringify(status)).not.toContain('@');
  });

  test('a queue that was just paused is resumed on Bull Board, although no worker has paused it yet', async () => {
    const pool = database.pool;
    await setQueuesPaused(pool, { names: ['changes'], paused: true, by: 'operator' });
    expect(await queues.get('changes')!.isPaused()).toBe(false);
    await fetch(`${url}/queues/api/queues/changes/resume`, { method: 'PUT' });
    expect(await readPauses(pool)).toContainEqual(
      expect.objectContaining({ queue: 'changes', paused: false }),
    );
    // Nothing was ever decided about this one, and it is not paused.
    await pool.query(`delete from queue_pause where queue = 'analysis'`);
    await fetch(`${url}/queues/api/queues/analysis/resume`, { method: 'PUT' });
    expect((await readPauses(pool)).map(({ queue }) => queue)).not.toContain('analysis');
  });

  test('the status page is accessible in light and dark mode', async () => {
    await database.pool.query('truncate rejected_event');
    await database.pool.query(
      `insert into rejected_event (event_id, name, queue, batch_id, payload, reason, sqlstate)
       select gen_random_uuid(), 'answer.submitted', 'statistics', gen_random_uuid(), '{}',
         'new row violates check constraint "question_statistics_times_selected_check"', '23514'
       from generate_series(1, 12)`,
    );
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openPaused(colorScheme);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/^Learners /);
      expect(await page.getByRole('article').count()).toBe(10);
      await page.getByRole('row', { name: /answer\.submitted statistics 12/ }).waitFor();
      expect(await findingsOf(page)).toEqual([]);
      expect(await layoutFaultsOf(page)).toEqual([]);
      await page.context().close();
    }
    const response = await fetch(url);
    expect(response.headers.get('refresh')).toBe('10');
  });

  test('Bull Board shows the rejected events of a queue and their reason', async () => {
    await database.pool.query('truncate rejected_event restart identity');
    await database.pool.query(
      `insert into rejected_event (event_id, name, queue, batch_id, payload, reason)
       select gen_random_uuid(), 'answer.submitted', 'statistics', gen_random_uuid(), '{}',
         'payload/correct must be boolean' from generate_series(1, 2)`,
    );
    const page = await openPaused('light');
    await page.goto(`${url}/queues/queue/statistics`);
    await page
      .getByText('2 × answer.submitted: payload/correct must be boolean, numbers 1, 2')
      .waitFor();
    await page.goto(`${url}/queues/queue/live`);
    await page.getByText('Notifies open screens of changes').waitFor();
    expect(await page.getByText('Rejected events').count()).toBe(0);
    await page.context().close();
  });

  test.runIf(kind === 'redis')(
    'the status page and Bull Board answer while Redis is down',
    async () => {
      await redis!.stop();
      const status = await readStatus();
      expect(status.parts.find(({ id }) => id === 'queues')!.findings[0]).toMatchObject({
        level: 'fault',
        found: 'Redis does not answer: events wait in the outbox',
      });
      expect(status.queues.every(({ counts }) => counts === null)).toBe(true);
      const answer = await fetch(`${url}/queues/api/queues?activeQueue=mail`);
      expect(answer.status).toBe(500);
      expect(await answer.text()).toContain('The queues do not answer');
    },
  );

  async function openPaused(colorScheme: 'light' | 'dark'): Promise<Page> {
    const page = await (await openContext(browser.current, { colorScheme })).newPage();
    await page.goto(`${url}/?paused`);
    return page;
  }
});

/** A fake identity provider that only answers. */
async function startProvider(): Promise<string> {
  provider = Fastify();
  provider.get('/*', async () => ({ authorizedDomains: [] }));
  await provider.listen({ port: 0 });
  return new URL(provider.listeningOrigin).host;
}

const startOwnRedis = (port: number) => startRedis(port, join(tmpdir(), `redis-${port}.log`));
