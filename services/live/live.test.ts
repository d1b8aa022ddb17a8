import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { withTransaction } from '#database/pool.ts';
import {
  listenLive,
  type LiveListener,
  type LiveMessage,
  notifyLive,
  parseMessages,
} from './live.ts';

const database = useTestDatabase();
const account = (): LiveMessage => ({ topic: 'account', account_id: randomUUID() });
const notify = (messages: LiveMessage[]) =>
  withTransaction(database.pool, (tx) => notifyLive(tx, messages));

let emitter: EventEmitter<{ messages: [LiveMessage[]]; resync: []; failure: [Error] }>;
let listener: LiveListener;

function listen(databaseUrl = database.url): LiveListener {
  return listenLive({
    databaseUrl,
    applicationName: 'test-live',
    onMessages: (messages) => emitter.emit('messages', messages),
    onResync: () => emitter.emit('resync'),
    onError: (error) => emitter.emit('failure', error),
  });
}

beforeEach(async () => {
  emitter = new EventEmitter();
  listener = listen();
  await once(emitter, 'resync');
});
afterEach(() => listener.close());

describe('notifyLive', () => {
  test('delivers each message of a committed transaction once', async () => {
    const message = account();
    const arrival = once(emitter, 'messages');
    await notify([message, { topic: 'statistics' }, message, { topic: 'statistics' }]);
    expect(await arrival).toEqual([[message, { topic: 'statistics' }]]);
  });

  test('delivers nothing of a transaction that rolls back', async () => {
    const failing = withTransaction(database.pool, async (tx) => {
      await notifyLive(tx, [{ topic: 'statistics' }]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const arrival = once(emitter, 'messages');
    await notify([{ topic: 'feedback' }]);
    expect(await arrival).toEqual([[{ topic: 'feedback' }]]);
  });

  test('splits many messages over several payloads and loses none', async () => {
    const many = Array.from({ length: 1_000 }, account);
    const arrived: LiveMessage[] = [];
    let parts = 0;
    const all = new Promise<void>((resolve) => {
      emitter.on('messages', (messages) => {
        parts += 1;
        if (arrived.push(...messages) === many.length) resolve();
      });
    });
    await notify(many);
    await all;
    expect(arrived).toEqual(many);
    expect(parts).toBeLessThan(15);
  });

  test('sends no notification for an empty list', async () => {
    const arrival = once(emitter, 'messages');
    await notify([]);
    await notify([{ topic: 'feedback' }]);
    expect(await arrival).toEqual([[{ topic: 'feedback' }]]);
  });

  test('ignores unknown topics and malformed messages', () => {
    const known = { topic: 'feedback' };
    const sent = [
      { topic: 'weather' },
      null,
      1,
      { topic: 'account' },
      { topic: 'toString' },
      known,
    ];
    expect(parseMessages(JSON.stringify(sent))).toEqual([known]);
    expect(parseMessages('{}')).toEqual([]);
  });
});

describe('listenLive', () => {
  const terminate = () =>
    database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test-live'
         and datname = current_database()`,
    );

  test('reconnects when its connection is killed, and calls onResync', async () => {
    for (let time = 0; time < 3; time += 1) {
      const lost = once(emitter, 'failure');
      const resync = once(emitter, 'resync');
      await terminate();
      await lost;
      // Received by no listener; the resync compensates for it.
      await notify([{ topic: 'statistics' }]);
      await resync;
      const arrival = once(emitter, 'messages');
      await notify([{ topic: 'feedback' }]);
      expect(await arrival).toEqual([[{ topic: 'feedback' }]]);
    }
  });

  test('receives the messages of a transaction that commits after a later one', async () => {
    const message = account();
    const arrival: LiveMessage[][] = [];
    emitter.on('messages', (messages) => arrival.push(messages));
    await withTransaction(database.pool, async (early) => {
      await notifyLive(early, [message]);
      const other = once(emitter, 'messages');
      await notify([{ topic: 'feedback' }]);
      await other;
      expect(arrival).toEqual([[{ topic: 'feedback' }]]);
    });
    await expect.poll(() => arrival).toEqual([[{ topic: 'feedback' }], [message]]);
  });

  test('reports an invalid payload and keeps listening', async () => {
    const reported = once(emitter, 'failure');
    await database.pool.query(`select pg_notify('live', 'not JSON')`);
    await reported;
    const arrival = once(emitter, 'messages');
    await notify([{ topic: 'feedback' }]);
    expect(await arrival).toEqual([[{ topic: 'feedback' }]]);
  });

  test('closes at once while it cannot connect', async () => {
    const lost = once(emitter, 'failure');
    const unconnected = listen('postgres://unknown:x@127.0.0.1:1/nothing');
    await lost;
    await unconnected.close();
  });
});
