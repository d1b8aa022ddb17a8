import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import { withTransaction, type Transaction } from '#database/pool.ts';
import type { DeliveredEvent } from './catalogue.ts';
import { consumeBySplitting, readBatch } from './consume.ts';
import { emit, takeEvents } from './outbox.ts';
import {
  dismissRejected,
  eraseRejected,
  isDataError,
  pruneRejected,
  readOpenRejections,
  rejectEvents,
  toRejection,
  retryRejected,
} from './rejected-events.ts';

type Answer = DeliveredEvent<'answer.submitted'>;

const database = useTestDatabase();
const rejected = async () =>
  (await database.pool.query('select * from rejected_event order by id')).rows;

beforeEach(async () => {
  await emptyTables(
    database.pool,
    'outbox',
    'event_batch',
    'event_delivery',
    'rejected_event',
    'audit_entry',
  );
  await database.pool.query(
    'drop table if exists applied; create table applied (n int check (n % 10 <> 3))',
  );
});

/** A batch of answers to the questions 0 to `count - 1`. */
async function batchOf(count: number) {
  await withTransaction(database.pool, async (tx) => {
    for (let n = 0; n < count; n += 1) {
      await emit(tx, 'answer.submitted', { quiz_id: randomUUID(), question_id: n, correct: true });
    }
  });
  const { deliveries } = await takeEvents(database.pool, count);
  const key = {
    batchId: deliveries[0]!.batch_id,
    name: 'answer.submitted',
    queue: 'statistics',
  } as const;
  return { key, batch: await readBatch(database.pool, key.batchId, key.name) };
}

const FAILURE = Object.assign(new pg.DatabaseError('no', 2, 'error'), { code: '23514' });

/** Writes the number of each question; those that end with 3 are refused. */
async function apply(tx: Transaction, events: Answer[]): Promise<void> {
  for (const { payload } of events) {
    await tx.query('insert into applied values ($1)', [payload.question_id]);
  }
}

const applied = async () => {
  const { rows } = await database.pool.query<{ n: number }>('select n from applied order by n');
  return rows.map(({ n }) => n);
};

describe('a batch with events that PostgreSQL refuses', () => {
  test('is applied without those events, once, by four concurrent workers', async () => {
    const { key, batch } = await batchOf(25);
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map(() => consumeBySplitting(database.pool, key, batch, FAILURE, apply)),
    );
    expect(outcomes.filter((outcome) => outcome !== null)).toHaveLength(1);
    const good = Array.from({ length: 25 }, (_, n) => n).filter((n) => n % 10 !== 3);
    expect(await applied()).toEqual(good);
    expect((await rejected()).map(({ payload }) => payload.question_id)).toEqual([3, 13, 23]);
  });

  test('is applied as a whole when no event fails any more', async () => {
    const { key, batch } = await batchOf(3);
    expect(await consumeBySplitting(database.pool, key, batch, FAILURE, apply)).toEqual([]);
    expect(await applied()).toEqual([0, 1, 2]);
    expect(await rejected()).toEqual([]);
  });

  test('is rolled back as a whole by any other error', async () => {
    const { key, batch } = await batchOf(10);
    const deadlock = Object.assign(new pg.DatabaseError('no', 2, 'error'), { code: '40P01' });
    const failing = consumeBySplitting(database.pool, key, batch, FAILURE, async (tx, events) => {
      await apply(tx, events);
      if (events.some(({ payload }) => payload.question_id === 9)) throw deadlock;
    });
    await expect(failing).rejects.toBe(deadlock);
    expect([await applied(), await rejected()]).toEqual([[], []]);
    expect(await consumeBySplitting(database.pool, key, batch, FAILURE, apply)).toHaveLength(1);
  });
});

test.each([
  ['22003', true],
  ['22P02', true],
  ['23503', true],
  ['23505', true],
  ['40P01', false],
  ['40001', false],
  ['53100', false],
  ['57014', false],
  ['57P01', false],
  ['08006', false],
  ['42P01', false],
])('an error with SQLSTATE %s is a data error: %s', (code, isOfData) => {
  const error = Object.assign(new pg.DatabaseError('no', 2, 'error'), { code });
  expect(isDataError(error)).toBe(isOfData);
  expect(isDataError(new Error('outer', { cause: error }))).toBe(isOfData);
  // An error from other code, with a code that looks like one.
  expect(isDataError(Object.assign(new Error('no'), { code }))).toBe(false);
});

test('the reason of a rejection quotes no value of the event', async () => {
  const event = { id: randomUUID(), payload: {} };
  const failing = database.pool.query(`select 'Kari'::uuid`);
  const error: unknown = await failing.catch((thrown: unknown) => thrown);
  expect(toRejection(error, event).reason).toBe('invalid input syntax for type uuid: "…"');
});

describe('invalid events of a batch', () => {
  test('are rejected one by one, whatever their shape', async () => {
    const { key } = await batchOf(2);
    const odd = ['text', { id: 'x', payload: {} }, { id: randomUUID() }];
    await database.pool.query('update event_batch set events = events || $1', [
      JSON.stringify(odd),
    ]);
    const { events, invalid } = await readBatch(database.pool, key.batchId, key.name);
    expect(events).toHaveLength(2);
    expect(invalid.map(({ payload }) => payload)).toEqual(['text', {}, odd[2]]);
    await withTransaction(database.pool, (tx) => rejectEvents(tx, key, invalid));
    expect(await rejected()).toHaveLength(3);
  });
});

describe('an operator of rejected events', () => {
  const KEY = { batchId: randomUUID(), name: 'payment.succeeded', queue: 'mail' } as const;
  const reject = async (payload: unknown) => {
    const rejection = { eventId: randomUUID(), payload, reason: 'bad', sqlstate: null };
    await withTransaction(database.pool, (tx) => rejectEvents(tx, KEY, [rejection]));
    return (await rejected()).at(-1)!;
  };

  test('retries an event with the same id in a new batch', async () => {
    const { id, event_id } = await reject({ payment_id: 'x' });
    await retryRejected(database.pool, { ids: [id], by: 'Kari' });
    const { rows } = await database.pool.query(
      `select id <> $1 as is_new, name, queue, events, published_at, done_at
       from event_batch join event_delivery on batch_id = id`,
      [KEY.batchId],
    );
    expect(rows).toEqual([
      {
        is_new: true,
        name: 'payment.succeeded',
        queue: 'mail',
        events: [{ id: event_id, payload: { payment_id: 'x' } }],
        published_at: null,
        done_at: null,
      },
    ]);
    expect(await audited()).toEqual([
      {
        actor: 'kari',
        action: 'event.retried',
        subject: event_id,
        details: { event: 'payment.succeeded', queue: 'mail', reason: 'bad' },
      },
    ]);
  });

  test('changes nothing when one of the events is unknown or closed', async () => {
    const [first, second] = [await reject({}), await reject({})];
    const dismiss = (ids: number[]) =>
      dismissRejected(database.pool, { ids, by: 'operator', why: 'not needed' });
    await dismiss([first.id]);
    const dismissal = dismiss([first.id, second.id, 1_000_000]);
    await expect(dismissal).rejects.toMatchObject({ code: 'event_not_open' });
    await expect(dismissal).rejects.toThrow(
      `${first.id} was dismissed already; there is no event 1000000`,
    );
    expect((await rejected()).map(({ state, dismissal }) => [state, dismissal])).toEqual([
      ['dismissed', 'not needed'],
      ['open', null],
    ]);
    expect(await audited()).toMatchObject([
      { actor: 'operator', action: 'event.dismissed', details: { note: 'not needed' } },
    ]);
    const { byQueue, groups } = await readOpenRejections(database.pool);
    expect(byQueue).toMatchObject({ mail: 1, live: 0 });
    expect(groups).toMatchObject([{ queue: 'mail', count: 1, ids: [second.id], reason: 'bad' }]);
  });

  const audited = async () =>
    (await database.pool.query('select actor, action, subject, details from audit_entry')).rows;
});

test('closed rejected events are deleted after 30 days, open ones are kept', async () => {
  const old = { batchId: randomUUID(), name: 'service.ending', queue: 'mail' } as const;
  const rejection = { eventId: null, payload: null, reason: 'bad', sqlstate: null };
  await withTransaction(database.pool, (tx) => rejectEvents(tx, old, [rejection, rejection]));
  const [{ id }] = await rejected();
  await dismissRejected(database.pool, { ids: [id], by: 'operator', why: 'old' });
  await database.pool.query(
    `update rejected_event set rejected_at = now() - interval '40 days',
       closed_at = closed_at - interval '29 days'`,
  );
  await pruneRejected(database.pool, 30, 10);
  expect(await rejected()).toHaveLength(2);
  await database.pool.query(`update rejected_event set closed_at = closed_at - interval '2 days'`);
  await pruneRejected(database.pool, 30, 10);
  expect(await rejected()).toMatchObject([{ state: 'open' }]);
});

test('erases rejected events of a deleted account except the mail that confirms the deletion', async () => {
  const { id, email } = await createLearner(database.pool, { days: 0 });
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into quiz (account_id, topic, kind, language, instant_feedback, total)
     values ($1, 'Historie', 'drill', 'no', true, 1) returning id`,
    [id],
  );
  const payloads: [string, unknown][] = [
    ['answer.submitted', { quiz_id: rows[0]!.id, question_id: 'x' }],
    ['account.changed', { account_id: id }],
    ['payment.changed', { nested: [{ to: email.toUpperCase() }] }],
    ['account.deleted', { account_id: id }],
    ['account.changed', { account_id: randomUUID() }],
    ['payment.changed', { to: `x${email}` }],
  ];
  for (const [name, payload] of payloads) {
    const key = { batchId: randomUUID(), name: name as 'account.changed', queue: 'mail' } as const;
    const rejection = { eventId: null, payload, reason: 'bad', sqlstate: null };
    await withTransaction(database.pool, (tx) => rejectEvents(tx, key, [rejection]));
  }
  await eraseRejected(database.pool, id, email);
  expect((await rejected()).map(({ payload }) => payload)).toEqual(
    payloads.slice(3).map(([, payload]) => payload),
  );
});
