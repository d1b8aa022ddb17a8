import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { type Database, withTransaction } from '#database/pool.ts';
import { QUEUES } from './catalogue.ts';
import { consumeOnce, MissingBatchError, readBatch } from './consume.ts';
import {
  emit,
  detectLoss,
  findOverdue,
  findUnpublished,
  markPublished,
  pruneBatches,
  takeEvents,
} from './outbox.ts';
import { createQueueHealth, readCanaryAges, receiveCanary, sendCanaries } from './queue-health.ts';

const database = useTestDatabase();
const keyOf = (batchId: string) => ({ batchId, queue: 'statistics' }) as const;
const answered = (question_id: number) => ({ quiz_id: randomUUID(), question_id, correct: true });

const emitAnswers = (count: number) =>
  withTransaction(database.pool, async (tx) => {
    for (let id = 0; id < count; id += 1) await emit(tx, 'answer.submitted', answered(id));
  });

beforeEach(async () => {
  await database.pool.query('truncate outbox, event_batch, event_delivery');
});

describe('the outbox', () => {
  test('keeps no event of a transaction that rolled back', async () => {
    const failing = withTransaction(database.pool, async (tx) => {
      await emit(tx, 'answer.submitted', answered(1));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await takeEvents(database.pool, 10)).toEqual({ events: 0, deliveries: [] });
  });

  test('rejects a payload that does not match the catalogue', async () => {
    const wrong = { quiz_id: 'x' } as never;
    await expect(
      withTransaction(database.pool, (tx) => emit(tx, 'answer.submitted', wrong)),
    ).rejects.toThrow('Assert');
  });

  test('leaves an unknown event for a relay of a newer version', async () => {
    await database.pool.query(
      `insert into outbox (name, payload) values ('made.later', '{"id": 1}')`,
    );
    await emitAnswers(1);
    const { deliveries } = await takeEvents(database.pool, 10);
    expect(deliveries).toMatchObject([{ event: 'answer.submitted' }]);
    const { rows } = await database.pool.query('select name from outbox');
    expect(rows).toEqual([{ name: 'made.later' }]);
  });

  test('batches events of one name that allow it, and sends the others alone', async () => {
    await emitAnswers(5);
    await withTransaction(database.pool, async (tx) => {
      await emit(tx, 'stripe.event_received', { stripe_event_id: 'evt_1' });
      await emit(tx, 'stripe.event_received', { stripe_event_id: 'evt_2' });
    });
    const { deliveries } = await takeEvents(database.pool, 100);
    expect(deliveries.map(({ event, queue }) => `${event} ${queue}`).toSorted()).toEqual([
      'answer.submitted statistics',
      'stripe.event_received payments',
      'stripe.event_received payments',
    ]);
    const batch = deliveries.find(({ event }) => event === 'answer.submitted')!;
    const { events } = await readBatch(database.pool, batch.batch_id, 'answer.submitted');
    expect(events.map(({ payload }) => payload.question_id)).toEqual([0, 1, 2, 3, 4]);
  });

  test('gives each event to one of several relays', async () => {
    await emitAnswers(200);
    const rounds = Array.from({ length: 20 }, () => takeEvents(database.pool, 25));
    const taken = [...(await Promise.all(rounds)), await takeEvents(database.pool, 500)];
    expect(taken.reduce((sum, { events }) => sum + events, 0)).toBe(200);
    const all = await Promise.all(
      taken
        .flatMap(({ deliveries }) => deliveries)
        .map(({ batch_id }) => readBatch(database.pool, batch_id, 'answer.submitted')),
    );
    const ids = all.flatMap(({ events }) => events).map(({ id }) => id);
    expect(ids).toHaveLength(200);
    expect(new Set(ids).size).toBe(200);
  });
});

describe('a delivery of a batch', () => {
  const deliver = async () => {
    await emitAnswers(1);
    // Only the relay that took the event knows its request.
    const { trace: _trace, ...delivery } = (await takeEvents(database.pool, 10)).deliveries[0]!;
    return delivery;
  };

  test('is unpublished, then overdue, until it is consumed', async () => {
    const delivery = await deliver();
    const { pool } = database;
    expect(await findUnpublished(pool, 0, 10)).toEqual([delivery]);
    expect(await findUnpublished(pool, 2, 10)).toEqual([]);
    expect(await findOverdue(pool, 0, 10)).toEqual([]);
    await markPublished(pool, [delivery]);
    expect(await findUnpublished(pool, 0, 10)).toEqual([]);
    expect(await findOverdue(pool, 0, 10)).toEqual([delivery]);
    expect(await findOverdue(pool, 0, 10, ['mail', 'statistics'])).toEqual([]);
    expect(await findOverdue(pool, 30, 10)).toEqual([]);
    await consumeOnce(pool, keyOf(delivery.batch_id), async () => {});
    expect(await findOverdue(pool, 0, 10)).toEqual([]);
  });

  test('is published again when the queue has lost its jobs', async () => {
    const { pool } = database;
    const published = await deliver();
    const done = await deliver();
    await markPublished(pool, [published, done]);
    await consumeOnce(pool, keyOf(done.batch_id), async () => {});
    const counts = new Map<string, number>();
    const incrementGeneration = async (generation: string) => {
      const next = (counts.get(generation) ?? 0) + 1;
      counts.set(generation, next);
      return { count: next, recordLoss: () => {} };
    };
    const relays = () =>
      Promise.all([1, 2, 3].map(() => detectLoss(pool, { incrementGeneration })));
    for (let round = 0; round < 3; round += 1) expect(await relays()).toEqual([null, null, null]);
    expect(await findUnpublished(pool, 0, 10)).toEqual([]);

    counts.clear();
    expect((await relays()).filter((lost) => lost !== null)).toEqual([1]);
    expect(await findUnpublished(pool, 0, 10)).toEqual([published]);
    for (let round = 0; round < 3; round += 1) expect(await relays()).toEqual([null, null, null]);
    expect(await detectLoss(pool, { incrementGeneration: async () => null })).toBe(null);
  });

  test('is published again although the first attempt to record the loss failed', async () => {
    const { pool } = database;
    const published = await deliver();
    await markPublished(pool, [published]);
    let isInterrupted = true;
    const incrementGeneration = async () => ({
      count: isInterrupted ? 0 : 1_000_000,
      recordLoss: () => {
        isInterrupted = false;
      },
    });
    const away = { query: pool.query.bind(pool), connect: () => Promise.reject(new Error('away')) };
    await expect(detectLoss(away as unknown as Database, { incrementGeneration })).rejects.toThrow(
      'away',
    );
    expect(await detectLoss(pool, { incrementGeneration })).toBe(1);
    expect(isInterrupted).toBe(false);
    expect(await findUnpublished(pool, 0, 10)).toEqual([published]);
  });

  test('does not hold up the relay while its worker consumes it', async () => {
    const { pool } = database;
    const consumed = await deliver();
    const next = await deliver();
    await consumeOnce(pool, keyOf(consumed.batch_id), async () => {
      await markPublished(pool, [consumed, next]);
      expect(await findOverdue(pool, 0, 10)).toEqual([next]);
    });
    expect(await findUnpublished(pool, 0, 10)).toEqual([]);
  });

  test('is applied once by ten concurrent workers', async () => {
    const { batch_id } = await deliver();
    let applied = 0;
    const workers = Array.from({ length: 10 }, () =>
      consumeOnce(database.pool, keyOf(batch_id), async () => {
        applied += 1;
      }),
    );
    const outcomes = await Promise.all(workers);
    expect(applied).toBe(1);
    expect(outcomes.filter(Boolean)).toHaveLength(1);
  });

  test('stays unconsumed when its worker fails', async () => {
    const { batch_id } = await deliver();
    const failing = consumeOnce(database.pool, keyOf(batch_id), () =>
      Promise.reject(new Error('no')),
    );
    await expect(failing).rejects.toThrow('no');
    expect(await consumeOnce(database.pool, keyOf(batch_id), async () => {})).toBe(true);
  });

  test('fails when its batch is missing or holds another event', async () => {
    const { batch_id } = await deliver();
    const unknown = readBatch(database.pool, randomUUID(), 'answer.submitted');
    await expect(unknown).rejects.toThrow(MissingBatchError);
    const ofAnother = readBatch(database.pool, batch_id, 'quiz.ended');
    await expect(ofAnother).rejects.toThrow(MissingBatchError);
  });

  test('is pruned only after it is consumed and 30 days old', async () => {
    const { batch_id } = await deliver();
    await database.pool.query(`update event_batch set created_at = now() - interval '40 days'`);
    expect(await pruneBatches(database.pool, 30, 10)).toBe(0);
    await consumeOnce(database.pool, keyOf(batch_id), async () => {});
    expect(await pruneBatches(database.pool, 30, 10)).toBe(1);
  });
});

describe('a canary', () => {
  test('goes through every queue and is deleted after an hour', async () => {
    const { pool } = database;
    await withTransaction(pool, sendCanaries);
    const { deliveries: sent } = await takeEvents(pool, 10);
    expect(sent.map(({ queue }) => queue).toSorted()).toEqual([...QUEUES].toSorted());
    await pool.query(`update event_batch set created_at = now() - interval '61 minutes'`);
    await withTransaction(pool, sendCanaries);
    const { rows } = await pool.query('select from event_batch');
    expect(rows).toEqual([]);
  });

  test('has the age of the last one that its queue consumed', async () => {
    const { pool } = database;
    expect((await readCanaryAges(pool)).get('mail')).toBe(null);
    await withTransaction(pool, (tx) => receiveCanary(tx, 'mail'));
    await pool.query(`update canary set done_at = now() - interval '1 minute'`);
    expect((await readCanaryAges(pool)).get('mail')).toBeGreaterThanOrEqual(60);
    await withTransaction(pool, (tx) => receiveCanary(tx, 'mail'));
    expect((await readCanaryAges(pool)).get('mail')).toBeLessThan(60);
  });

  test('reports a stuck queue when late, unless the queue is busy or paused', async () => {
    const { pool } = database;
    await pool.query('truncate canary');
    const fake = (isPaused: boolean, active: number) =>
      ({ isPaused: async () => isPaused, getJobCounts: async () => ({ active }) }) as never;
    const queues = new Map([
      ['mail', fake(false, 0)],
      ['imports', fake(false, 1)],
      ['live', fake(true, 0)],
    ] as const);
    const problemsWith = async (policy: () => Promise<string | null>) => {
      const deps = { db: pool, backend: { readEvictionPolicy: policy }, queues };
      return (await createQueueHealth(deps)()).problems;
    };
    const late = 'nothing has come through the queue mail yet';
    expect(await problemsWith(async () => null)).toEqual([late]);
    await withTransaction(pool, (tx) => receiveCanary(tx, 'mail'));
    expect(await problemsWith(async () => 'noeviction')).toEqual([]);
    expect(await problemsWith(async () => 'allkeys-lru')).toEqual([
      'Redis has maxmemory-policy allkeys-lru, and would throw jobs away: set noeviction',
    ]);
    expect(await problemsWith(() => Promise.reject(new Error('away')))).toEqual([
      'Redis does not answer: events wait in the outbox',
    ]);
    await pool.query(`update canary set done_at = now() - interval '61 seconds'`);
    expect(await problemsWith(async () => null)).toEqual([
      'nothing has come through the queue mail for 61 s',
    ]);
  });
});
