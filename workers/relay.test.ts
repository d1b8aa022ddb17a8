import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { expect, test } from 'vitest';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { countWorkers } from '@proveklar/services/database/processes.ts';
import { QUEUES, type QueueName } from '@proveklar/services/events/catalogue.ts';
import { emit } from '@proveklar/services/events/outbox.ts';
import {
  openQueueBackend,
  prepareQueueBackend,
  type JobQueue,
} from '@proveklar/services/events/queue-backend.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { restMs, startRelay } from './relay.ts';

const POLL_MS = 40;
const database = useTestDatabase();

test('relays together look as often as one', () => {
  expect(restMs(1)).toBe(POLL_MS);
  for (const relays of [2, 4, 8]) {
    const rests = Array.from({ length: 1_001 }, (_, n) => restMs(relays, n / 1_000));
    expect(Math.min(...rests)).toBe((relays * POLL_MS) / 2);
    const mean = rests.reduce((sum, rest) => sum + rest, 0) / rests.length;
    expect(relays / mean).toBeCloseTo(1 / POLL_MS);
  }
  expect(restMs(100, 1)).toBe(restMs(8, 1));
});

test('those that look are counted by who has spoken lately', async () => {
  const { pool } = database;
  const speak = (kind: string, ago: string) =>
    pool.query(
      `insert into process (id, kind, host, version, started_at, seen_at, facts)
       values (gen_random_uuid(), $1, 'host', 'v', now(), now() - $2::interval, '{}')`,
      [kind, ago],
    );
  await speak('workers', '1 second');
  await speak('workers', '30 seconds');
  await speak('gateway', '1 second');
  expect(await countWorkers(pool)).toBe(1);
  await pool.query('delete from process');
});

test('what comes in a stream travels in batches', async () => {
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
    mostBatches = (Date.now() - from) / POLL_MS + 1;
  } finally {
    await relay.stop();
  }
  const { rows } = await pool.query('select from event_batch');
  expect(rows.length).toBeLessThanOrEqual(mostBatches);
  expect(await queues.get('statistics')!.getWaitingCount()).toBe(rows.length);
  await Promise.all([...queues.values()].map((queue) => queue.close()));
  await backend.close();
});
