import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addDays, setPrice } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { withClaims } from '#support/identity.ts';
import { connectLive, type LiveConnection } from '#support/live.ts';
import { queueBackends } from '#support/shared.ts';
import { useTestWorkers } from '#support/workers.ts';

// A stream of live updates outlives the request that opened it, but not the session.
const gateway = useTestGateway();
const workers = useTestWorkers();
let url: string;
const opened: LiveConnection[] = [];

beforeAll(async () => {
  url = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  await setPrice(gateway.deps.db, 149_00);
});
afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});

async function open(token: string): Promise<LiveConnection> {
  const connection = await connectLive(url, token);
  opened.push(connection);
  expect(await connection.next()).toEqual({ event: 'ready', data: {} });
  return connection;
}

async function learner() {
  const user = await gateway.identity.createPasswordUser();
  await addDays(gateway.deps.db, user, 30);
  return user;
}

describe.each(await queueBackends())('with queues on $name', ({ redisUrl }) => {
  test('a changed password ends the live updates of older sessions, and of no others', async () => {
    const { start } = await workers.on(gateway, redisUrl);
    start();
    const [user, other] = [await learner(), await learner()];
    const old = await open(user.idToken);
    const others = await open(other.idToken);
    const body = { password: 'et annet godt passord' };
    await gateway.call('PUT', '/account/password', { token: user.idToken, body });
    await old.ended;
    const { idToken } = await gateway.identity.signInWithPassword(user.email, body.password);
    const again = await open(idToken);
    const language = { language: 'en' };
    await gateway.call('PUT', '/account/profile', { token: idToken, body: language });
    await gateway.call('PUT', '/account/profile', { token: other.idToken, body: language });
    expect(await messageOf(again)).toEqual({ topic: 'account' });
    expect(await messageOf(others)).toEqual({ topic: 'account' });
  });

  test('tokens revoked at the identity provider end live updates, also without another call', async () => {
    const { start } = await workers.on(gateway, redisUrl);
    start();
    const user = await learner();
    const auth_time = Math.floor(Date.now() / 1000) - 2;
    const idle = await open(withClaims(user.idToken, { auth_time }));
    await gateway.app.sessions.check();
    await gateway.deps.identity.endSessions(user.uid);
    await gateway.app.sessions.check();
    await idle.ended;
  });
});

/** Waits for a message; skips the resync that the start of LISTEN may send. */
async function messageOf(connection: LiveConnection): Promise<unknown> {
  const { event, data } = await connection.next();
  if (event !== 'message') return messageOf(connection);
  const { topic } = data as { topic: string };
  return { topic };
}
