import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { type LiveMessage, notifyLive } from '@proveklar/services/live/live.ts';
import { addDays } from '@proveklar/tests/support/factories.ts';
import { createTestDeps, useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { WAIT } from '@proveklar/tests/support/hang.ts';
import { withClaims } from '@proveklar/tests/support/identity.ts';
import { connectLive, type LiveConnection } from '@proveklar/tests/support/live.ts';
import { buildApp } from '../app.ts';

const gateway = useTestGateway();
let url: string;
const opened: LiveConnection[] = [];

beforeAll(async () => {
  url = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  await listening();
});
afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});

/** Waits until the gateway listens for notifications. */
const listening = () =>
  vi.waitFor(async () => {
    const { rowCount } = await gateway.deps.db.query(
      `select from pg_stat_activity where datname = current_database()
         and application_name = 'gateway-live' and query = 'listen live' and state = 'idle'`,
    );
    expect(rowCount).toBe(1);
  }, WAIT);

async function open(token: string, at = url): Promise<LiveConnection> {
  const connection = await connectLive(at, token);
  opened.push(connection);
  expect(await connection.next()).toEqual({ event: 'ready', data: {} });
  return connection;
}

async function learner() {
  const user = await gateway.identity.createPasswordUser();
  return { ...user, id: await addDays(gateway.deps.db, user, 30) };
}

const admin = () => gateway.identity.signInWithGoogle({ email: gateway.deps.config.ADMIN_EMAIL });

const notify = (...messages: LiveMessage[]) =>
  withTransaction(gateway.deps.db, (tx) => notifyLive(tx, messages));
const account = ({ id }: { id: string }): LiveMessage => ({ topic: 'account', account_id: id });
const message = (topic: string) => ({ event: 'message', data: { topic } });

describe('live updates', () => {
  test('live updates are a stream that is not cached, compressed or buffered', async () => {
    const { idToken } = await learner();
    const connection = await open(idToken);
    expect(connection.status).toBe(200);
    expect(Object.fromEntries(connection.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    expect(connection.headers.has('content-encoding')).toBe(false);
    expect(connection.retryMs()).toBe(1_000);
  });

  test('live updates refuse requests without a token before anything is streamed', async () => {
    for (const headers of [{}, { authorization: 'Bearer x.y.z' }]) {
      const response = await fetch(`${url}/api/v1/events`, { headers });
      expect(response.status).toBe(401);
      expect(await response.json()).toHaveProperty('code');
    }
  });

  test('live updates send each client only what it may see', async () => {
    const [kari, ola, boss] = await Promise.all([learner(), learner(), admin()]);
    const [hers, herOther, his, theirs] = await Promise.all(
      [kari, kari, ola, boss].map(({ idToken }) => open(idToken)),
    );
    await notify({ topic: 'statistics' }, account(kari), { topic: 'feedback' });
    await notify(account(ola));
    // The first message that a client gets shows that it got no other before.
    expect(await hers!.next()).toEqual(message('account'));
    expect(await herOther!.next()).toEqual(message('account'));
    expect(await his!.next()).toEqual(message('account'));
    expect(await theirs!.next()).toEqual(message('statistics'));
    expect(await theirs!.next()).toEqual(message('feedback'));
    await notify(account(kari));
    expect(await hers!.next()).toEqual(message('account'));
    for (const connection of [herOther, his, theirs]) connection!.close();
    expect(await his!.ended).toEqual([]);
    expect(await theirs!.ended).toEqual([]);
  });

  test('live updates treat only users verified by Google as admins', async () => {
    const email = gateway.deps.config.ADMIN_EMAIL;
    const token = withClaims((await learner()).idToken, { email, email_verified: true });
    const connection = await open(token);
    await notify({ topic: 'statistics' }, { topic: 'feedback' });
    const boss = await open((await admin()).idToken);
    await notify({ topic: 'feedback' });
    await boss.next();
    connection.close();
    expect(await connection.ended).toEqual([]);
  });

  test('live updates end when the token expires', async () => {
    const HOUR_MS = 3_600_000;
    const user = await learner();
    // The gateway's timers from here on are faked, including the expiry of the token.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const exp = Math.floor((Date.now() + HOUR_MS) / 1000);
    const connection = await open(withClaims(user.idToken, { exp }));
    vi.advanceTimersByTime(HOUR_MS / 2);
    await notify(account(user));
    expect(await connection.next()).toEqual(message('account'));
    vi.advanceTimersByTime(HOUR_MS / 2);
    await connection.ended;
  });

  test('live updates of a disabled account end without a message', async () => {
    const user = await learner();
    const connections = await Promise.all([open(user.idToken), open(user.idToken)]);
    await gateway.deps.db.query(`update account set state = 'disabled' where id = $1`, [user.id]);
    await notify(account(user));
    for (const connection of connections) expect(await connection.ended).toEqual([]);
  });

  test('live updates are limited to four per account: the oldest ends, with a retry delay', async () => {
    const user = await learner();
    const five = [];
    for (let n = 0; n < 5; n += 1) five.push(await open(user.idToken));
    const [oldest, ...others] = five;
    await oldest!.ended;
    expect(oldest!.retryMs()).toBe(60_000);
    await notify(account(user));
    for (const connection of others) expect(await connection.next()).toEqual(message('account'));
  });

  test('live updates send resync after the gateway could not listen', async () => {
    const connection = await open((await learner()).idToken);
    await gateway.deps.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'gateway-live' and datname = current_database()`,
    );
    expect(await connection.next()).toEqual({ event: 'resync', data: {} });
  });

  test('live updates reach two hundred clients', async () => {
    const users = await Promise.all(Array.from({ length: 50 }, learner));
    const connections = await Promise.all(
      users.flatMap(({ idToken }) => Array.from({ length: 4 }, () => open(idToken))),
    );
    await notify(...users.map(account));
    const all = await Promise.all(connections.map((connection) => connection.next()));
    expect(all).toEqual(all.map(() => message('account')));
  });
});

describe('a client that does not read', () => {
  let socket: Socket;
  afterEach(() => socket.destroy());

  test('a client that does not read is disconnected, and others are not affected', async () => {
    const { idToken } = await admin();
    const reader = await open(idToken);
    const { port } = new URL(url);
    socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    const head = `GET /api/v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${idToken}\r\n\r\n`;
    socket.write(head);
    await once(socket, 'readable');
    // The client reads no more: what the kernel does not buffer stays in the gateway.
    const connections = () =>
      new Promise<number>((resolve) => {
        gateway.app.server.getConnections((_error, count) => resolve(count));
      });
    const before = await connections();
    let sent = 0;
    const many = Array.from({ length: 500 }, () => ({ topic: 'statistics' }) as const);
    while ((await connections()) === before) {
      await gateway.app.live.publish(many);
      sent += many.length;
      for (let n = 0; n < many.length; n += 1) await reader.next();
      expect(sent).toBeLessThan(2_000_000);
    }
    await notify({ topic: 'feedback' });
    expect(await reader.next()).toEqual(message('feedback'));
  });
});

test('closing the gateway ends the streams at once, with spread retry delays', async () => {
  const app = await buildApp(createTestDeps(gateway.deps.config));
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const users = await Promise.all(Array.from({ length: 20 }, learner));
  const connections = await Promise.all(users.map(({ idToken }) => open(idToken, address)));
  // A stream would otherwise delay it until its token expires, in an hour.
  await app.close();
  await Promise.all(connections.map(({ ended }) => ended));
  const waits = connections.map(({ retryMs }) => retryMs()!);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
  expect(new Set(waits).size).toBeGreaterThan(10);
});
