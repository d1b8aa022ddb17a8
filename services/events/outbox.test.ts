import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { withTransaction } from '#database/pool.ts';
import { BadPayloadError, consumeOnce, readBatch } from './consume.ts';
import { emit } from './emit.ts';
import { findOverdue, markPublished, pruneBatches, takeEvents } from './outbox.ts';

const database = useTestDatabase();
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
    expect(await takeEvents(database.pool, 10)).toEqual([]);
  });

  test('refuses a payload that the catalogue does not know', async () => {
    const wrong = { quiz_id: 'x' } as never;
    await expect(
      withTransaction(database.pool, (tx) => emit(tx, 'answer.submitted', wrong)),
    ).rejects.toThrow('Assert');
  });

  test('keeps what it does not know for a relay that does', async () => {
    await database.pool.query(
      `insert into outbox (name, payload) values ('made.later', '{"id": 1}')`,
    );
    await emitAnswers(1);
    expect(await takeEvents(database.pool, 10)).toMatchObject([{ event: 'answer.submitted' }]);
    const { rows } = await database.pool.query('select name from outbox');
    expect(rows).toEqual([{ name: 'made.later' }]);
  });

  test('lets many events of one name travel together, and the others alone', async () => {
    await emitAnswers(5);
    await withTransaction(database.pool, async (tx) => {
      await emit(tx, 'stripe.event_received', { stripe_event_id: 'evt_1' });
      await emit(tx, 'stripe.event_received', { stripe_event_id: 'evt_2' });
    });
    const deliveries = await takeEvents(database.pool, 100);
    expect(deliveries.map(({ event, queue }) => `${event} ${queue}`).toSorted()).toEqual([
      'answer.submitted statistics',
      'stripe.event_received payments',
      'stripe.event_received payments',
    ]);
    const batch = deliveries.find(({ event }) => event === 'answer.submitted')!;
    const events = await readBatch(database.pool, batch.batch_id, 'answer.submitted');
    expect(events.map(({ payload }) => payload.question_id)).toEqual([0, 1, 2, 3, 4]);
  });

  test('gives each event to one of several relays', async () => {
    await emitAnswers(200);
    const rounds = Array.from({ length: 20 }, () => takeEvents(database.pool, 25));
    const batches = (await Promise.all(rounds)).flat().map(({ batch_id }) => batch_id);
    const rest = (await takeEvents(database.pool, 500)).map(({ batch_id }) => batch_id);
    const all = await Promise.all(
      [...batches, ...rest].map((id) => readBatch(database.pool, id, 'answer.submitted')),
    );
    const ids = all.flat().map(({ id }) => id);
    expect(ids).toHaveLength(200);
    expect(new Set(ids).size).toBe(200);
  });
});

describe('a delivery', () => {
  const deliver = async () => {
    await emitAnswers(1);
    return (await takeEvents(database.pool, 10))[0]!;
  };

  test('is overdue until it is consumed', async () => {
    const delivery = await deliver();
    expect(await findOverdue(database.pool, 0, 10)).toEqual([delivery]);
    expect(await findOverdue(database.pool, 30, 10)).toEqual([]);
    await markPublished(database.pool, [delivery]);
    expect(await findOverdue(database.pool, 30, 10)).toEqual([]);
    await consumeOnce(database.pool, delivery.batch_id, 'statistics', async () => {});
    expect(await findOverdue(database.pool, 0, 10)).toEqual([]);
  });

  test('is applied once, however many workers have it', async () => {
    const { batch_id } = await deliver();
    let applied = 0;
    const workers = Array.from({ length: 10 }, () =>
      consumeOnce(database.pool, batch_id, 'statistics', async () => {
        applied += 1;
      }),
    );
    const outcomes = await Promise.all(workers);
    expect(applied).toBe(1);
    expect(outcomes.filter(Boolean)).toHaveLength(1);
  });

  test('is not consumed by a worker that failed', async () => {
    const { batch_id } = await deliver();
    const failing = consumeOnce(database.pool, batch_id, 'statistics', () =>
      Promise.reject(new Error('no')),
    );
    await expect(failing).rejects.toThrow('no');
    expect(await consumeOnce(database.pool, batch_id, 'statistics', async () => {})).toBe(true);
  });

  test('with a payload that is not valid fails loudly', async () => {
    const { batch_id } = await deliver();
    await database.pool.query(`update event_batch set events = '[{"id": "x"}]'`);
    await expect(readBatch(database.pool, batch_id, 'answer.submitted')).rejects.toThrow(
      BadPayloadError,
    );
  });

  test('is kept until it is consumed and old', async () => {
    const { batch_id } = await deliver();
    await database.pool.query(`update event_batch set created_at = now() - interval '40 days'`);
    expect(await pruneBatches(database.pool, 30, 10)).toBe(0);
    await consumeOnce(database.pool, batch_id, 'statistics', async () => {});
    expect(await pruneBatches(database.pool, 30, 10)).toBe(1);
  });
});
