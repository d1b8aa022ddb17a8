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

let heard: EventEmitter<{ messages: [LiveMessage[]]; resync: []; lost: [Error] }>;
let listener: LiveListener;

function listen(databaseUrl = database.url): LiveListener {
  return listenLive({
    databaseUrl,
    applicationName: 'test-live',
    onMessages: (messages) => heard.emit('messages', messages),
    onResync: () => heard.emit('resync'),
    onError: (error) => heard.emit('lost', error),
  });
}

beforeEach(async () => {
  heard = new EventEmitter();
  listener = listen();
  await once(heard, 'resync');
});
afterEach(() => listener.close());

describe('a notification', () => {
  test('comes once for a batch, when it has committed', async () => {
    const message = account();
    const arrival = once(heard, 'messages');
    await notify([message, { topic: 'statistics' }, message, { topic: 'statistics' }]);
    expect(await arrival).toEqual([[message, { topic: 'statistics' }]]);
  });

  test('does not come of a transaction that rolled back', async () => {
    const failing = withTransaction(database.pool, async (tx) => {
      await notifyLive(tx, [{ topic: 'statistics' }]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const arrival = once(heard, 'messages');
    await notify([{ topic: 'feedback' }]);
    expect(await arrival).toEqual([[{ topic: 'feedback' }]]);
  });

  test('of many accounts is split and loses none', async () => {
    const many = Array.from({ length: 1_000 }, account);
    const arrived: LiveMessage[] = [];
    let parts = 0;
    const all = new Promise<void>((resolve) => {
      heard.on('messages', (messages) => {
        parts += 1;
        if (arrived.push(...messages) === many.length) resolve();
      });
    });
    await notify(many);
    await all;
    expect(arrived).toEqual(many);
    expect(parts).toBeLessThan(15);
  });

  test('of nothing is none', async () => {
    const arrival = once(heard, 'messages');
    await notify([]);
    await notify([{ topic: 'feedback' }]);
    expect(await arrival).toEqual([[{ topic: 'feedback' }]]);
  });

  test('that a newer or a broken version sends is left out', () => {
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

describe('the listener', () => {
  const terminate = () =>
    database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test-live'
         and datname = current_database()`,
    );

  test('comes back when its connection is killed, and says that something may be missing', async () => {
    for (let time = 0; time < 3; time += 1) {
      const lost = once(heard, 'lost');
      const resync = once(heard, 'resync');
      await terminate();
      await lost;
      // Told to nobody: the resync makes up for it.
      await notify([{ topic: 'statistics' }]);
      await resync;
      const arrival = once(heard, 'messages');
      await notify([{ topic: 'feedback' }]);
      expect(await arrival).toEqual([[{ topic: 'feedback' }]]);
    }
  });

  test('hears of what commits late, however early it began', async () => {
    const message = account();
    const arrival: LiveMessage[][] = [];
    heard.on('messages', (messages) => arrival.push(messages));
    await withTransaction(database.pool, async (early) => {
      await notifyLive(early, [message]);
      const other = once(heard, 'messages');
      await notify([{ topic: 'feedback' }]);
      await other;
      expect(arrival).toEqual([[{ topic: 'feedback' }]]);
    });
    await expect.poll(() => arrival).toEqual([[{ topic: 'feedback' }], [message]]);
  });

  test('bears rubbish', async () => {
    const complaint = once(heard, 'lost');
    await database.pool.query(`select pg_notify('live', 'rubbish')`);
    await complaint;
    const arrival = once(heard, 'messages');
    await notify([{ topic: 'feedback' }]);
    expect(await arrival).toEqual([[{ topic: 'feedback' }]]);
  });

  test('closes at once, also while it cannot connect', async () => {
    const lost = once(heard, 'lost');
    const lonely = listen('postgres://nobody:x@127.0.0.1:1/nothing');
    await lost;
    await lonely.close();
  });
});
