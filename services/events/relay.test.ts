import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { expect, test } from 'vitest';
import { withTransaction } from '#database/pool.ts';
import { countWorkers } from '#database/processes.ts';
import { QUEUES, type QueueName } from './catalogue.ts';
import { emit } from './outbox.ts';
import { openQueueBackend, prepareQueueBackend, type JobQueue } from './queue-backend.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { pollIntervalMs, startRelay } from './relay.ts';

const POLL_INTERVAL_MS = 40;
const database = useTestDatabase();

test('several relays together poll the outbox as often as one', () => {
  expect(pollIntervalMs(1)).toBe(POLL_INTERVAL_MS);
  for (const relays of [2, 4, 8]) {
    const rests = Array.from({ length: 1_001 }, (_, n) =>
      pollIntervalMs(relays, { random: n / 1_000 }),
    );
    expect(Math.min(...rests)).toBe((relays * POLL_INTERVAL_MS) / 2);
    const mean = rests.reduce((sum, rest) => sum + rest, 0) / rests.length;
    expect(relays / mean).toBeCloseTo(1 / POLL_INTERVAL_MS);
  }
  expect(pollIntervalMs(100, { random: 1 })).toBe(pollIntervalMs(8, { random: 1 }));
});

test('a relay makes larger batches the more events come, and none waits long', () => {
  const pauses = [0, 10, 11, 30, 70, 1_000].map((taken) => pollIntervalMs(1, { taken }));
  expect(pauses).toEqual([40, 40, 44, 120, 250, 250]);
  expect(pollIntervalMs(4, { taken: 1_000, random: 0.5 })).toBe(4 * 250);
});

test('counts worker processes with a recent heartbeat', async () => {
  const { pool } = database;
  const addHeartbeat = (kind: string, ago: string) =>
    pool.query(
      `insert into process (id, kind, host, version, started_at, seen_at, facts)
       values (gen_random_uuid(), $1, 'host', 'v', now(), now() - $2::interval, '{}')`,
      [kind, ago],
    );
  await addHeartbeat('workers', '1 second');
  await addHeartbeat('workers', '30 seconds');
  await addHeartbeat('gateway', '1 second');
  expect(await countWorkers(pool)).toBe(1);
  await pool.query('delete from process');
});

test('the relay groups a stream of events into batches', async () => {
  const { pool, url } = database;
  await prepareQueueBackend(url);
  const backend = openQueueBackend(url);
  const queues = new Map<QueueName, JobQueue>(
    QUEUES.map((name) => [name, backend.openQueue(name)]),
  );
  const relay = startRelay({ db: pool, backend, queues, log: pino({ level: 'silent' }) });
  let mostBatches = 0;
  try {
    const from = Date.now();
    for (let n = 0; n < 100; n += 1) {
      await withTransaction(pool, (tx) =>
        emit(tx, 'answer.submitted', { quiz_id: randomUUID(), question_id: n, correct: true }),
      );
      await sleep(5);
    }
    const waiting = async () => {
      const { rows } = await pool.query('select from outbox');
      return rows.length;
    };
    await expect.poll(waiting, { interval: 5 }).toBe(0);
    mostBatches = (Date.now() - from) / POLL_INTERVAL_MS + 1;
  } finally {
    await relay.stop();
  }
  const { rows } = await pool.query('select from event_batch');
  expect(rows.length).toBeLessThanOrEqual(mostBatches);
  expect(await queues.get('statistics')!.getWaitingCount()).toBe(rows.length);
  await Promise.all([...queues.values()].map((queue) => queue.close()));
  await backend.close();
});
