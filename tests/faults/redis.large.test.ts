import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasRedis } from '@proveklar/local/redis.ts';
import { openQueueBackend } from '@proveklar/services/events/queue-backend.ts';
import { readImport } from '@proveklar/services/imports/read-imports.ts';
import { allConsumed } from '#support/consumed.ts';
import { useTestGateway } from '#support/gateway.ts';
import { recordFigures } from '#support/figures.ts';
import { fileRow, sendFile } from '#support/imports.ts';
import { useTestMailbox } from '#support/mailbox.ts';
import { startProcesses, type Processes } from '../payments/processes.ts';
import { findDifferences, prepareLoad, type Load } from './load.ts';
import { bySize } from '#support/settings.ts';
import { ownRedis, type OwnRedis } from '#support/own-redis.ts';
import { allRunning, readinessOf, recoveryOf } from './recovery.ts';

// Redis is paused, killed, emptied or full while learners answer and pay and a file is imported. Nothing
// is lost, nothing is counted twice, and work resumes within seconds.
const ROWS = 2_000;
const LOAD_MS = 3_000;
const OUTAGE_S = bySize({ quick: 5, large: 5, full: 20 });
/** Long, because the host may be busy with other tests; shorter than the relay's own redelivery after 30 s. */
const MAX_RESUME_S = 20;
const MAX_LINES = 60;

const gateway = useTestGateway();
const mailbox = useTestMailbox();
let folder: string;
let redis: OwnRedis;
let processes: Processes;
let load: Load;

describe.skipIf(!hasRedis())('workers with queues on Redis', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'proveklar-faults-'));
    redis = await ownRedis();
    await redis.start(true);
    const { config, db, stripe } = gateway.deps;
    const environment = { SMTP_URL: mailbox.smtpUrl };
    const queueUrl = redis.url;
    processes = await startProcesses({ config, queueUrl, workers: 2, environment, folder });
    const { identity } = gateway;
    load = await prepareLoad({ url: processes.url, db, identity, stripe });
  });
  afterAll(async () => {
    await processes?.stop();
    await redis?.close();
    await rm(folder, { recursive: true });
  });

  const ready = () => readinessOf(processes.operatorsUrl('workers-1'));
  const untilReady = () => expect.poll(async () => (await ready()).status).toBe(200);
  const linesOf = async (name: string) =>
    (await readFile(join(folder, `${name}.log`), 'utf8')).split('\n').length;

  /** Puts jobs into Redis for it to lose, by pausing their queue; it loses the pause with them. */
  async function letJobsWait(): Promise<void> {
    const backend = openQueueBackend(redis.url);
    const queue = backend.openQueue('statistics');
    await queue.waitUntilReady();
    await queue.pause();
    await expect.poll(() => queue.getWaitingCount()).toBeGreaterThan(20);
    await queue.close();
    await backend.close();
  }

  /** Runs the load for a while, then the fault during the load, and checks the database afterwards. */
  async function survive(name: string, fault: () => Promise<void>): Promise<void> {
    const { db } = gateway.deps;
    await untilReady();
    const rows = Array.from({ length: ROWS }, (_, n) => fileRow(`${name}: ${n * 7919}?`));
    const importId = await sendFile(db, rows);
    load.begin();
    await sleep(LOAD_MS);
    const before = load.answers;
    await fault();
    const { resumed, caughtUp } = await recoveryOf(db);
    const during = load.answers - before;
    await load.end();
    await allConsumed(db);
    process.stdout.write(
      `Redis ${name}: resumed after ${resumed.toFixed(1)} s, caught up after ${caughtUp.toFixed(1)} s; ` +
        `${load.answers} answers (${during} meanwhile), ${load.payments.length} payments in all\n`,
    );
    const differences = await findDifferences(db, load);
    recordFigures({
      answers: load.answers,
      payments: load.payments.length,
      ...differences,
      'seconds to resume': resumed.toFixed(1),
      'seconds to catch up': caughtUp.toFixed(1),
    });
    expect(load.refusals).toEqual([]);
    expect(differences).toEqual(Object.fromEntries(Object.keys(differences).map((n) => [n, 0])));
    expect(await readImport(db, importId)).toMatchObject({ state: 'completed', imported: ROWS });
    expect(resumed).toBeLessThan(MAX_RESUME_S);
    await allRunning(db);
    await untilReady();
  }

  test(`lose nothing while it is away for ${OUTAGE_S} s`, async () => {
    const before = await linesOf('workers-1');
    await survive(`away for ${OUTAGE_S} s`, async () => {
      await redis.shutDown();
      await sleep(OUTAGE_S * 1_000);
      expect(await ready()).toMatchObject({ status: 503, body: expect.stringMatching('Redis') });
      await redis.start(true);
    });
    const lines = (await linesOf('workers-1')) - before;
    process.stdout.write(`Redis away for ${OUTAGE_S} s: ${lines} lines in the log of a worker\n`);
    expect(lines).toBeLessThan(MAX_LINES);
  });

  test('lose nothing when it is killed', () =>
    survive('killed', async () => {
      await redis.kill();
      await redis.start(true);
    }));

  test('lose nothing when it comes back empty', () =>
    survive('killed, and empty', async () => {
      await letJobsWait();
      await redis.kill();
      await redis.start(false);
    }));

  test('lose nothing when it is flushed', () =>
    survive('flushed', async () => {
      await letJobsWait();
      await redis.command('FLUSHALL');
    }));

  test('lose nothing while its memory is full', () =>
    survive('full for 5 s', async () => {
      await redis.command('CONFIG', 'SET', 'maxmemory', '1');
      await sleep(5_000);
      await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    }));

  test('are not ready while it would throw jobs away', async () => {
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    expect(await ready()).toMatchObject({ status: 503, body: expect.stringMatching('lru') });
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    await untilReady();
  });
});
