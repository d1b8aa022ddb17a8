import { expect, onTestFinished, test } from 'vitest';
import type { Level } from '@proveklar/contract/operations.ts';
import { createPool } from '@proveklar/services/database/pool.ts';
import { storeStatus } from '@proveklar/services/database/service-status.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { EXAMPLE_STATUS } from '#openapi/examples/operations.ts';
import { watchStatus } from './health.ts';

const gateway = useTestGateway();
const at = (minute: number) => new Date(Date.UTC(2030, 0, 1, 12, minute));

/** A status in which one can pay so well. */
const statusAt = (minute: number, pay: Level) => ({
  ...EXAMPLE_STATUS,
  at: at(minute).toISOString(),
  parts: [{ ...EXAMPLE_STATUS.parts[0]!, id: 'pay', level: pay }],
});

function statusPage(language: string) {
  return gateway.app.inject({ url: '/status', headers: { 'accept-language': language } });
}

test('the status page says in three lines that all works, in the visitor’s language', async () => {
  const norwegian = await statusPage('nb');
  expect(norwegian.statusCode).toBe(200);
  expect(norwegian.body.match(/<dt>/gu)).toHaveLength(3);
  expect(norwegian.body).toContain('<p>Alt virker.</p>');
  expect(norwegian.body).not.toContain('>siden ');
  // A timed reload interrupts screen readers.
  expect(norwegian.body).not.toContain('refresh');
  expect((await statusPage('en')).body).toContain('<p>Everything works.</p>');
});

test('a part that fails is down since then, until it works again', async () => {
  const { db } = gateway.deps;
  let minute = 1;
  const watch = watchStatus(db, () => at(minute));
  const lookAt = async (now: number, pay: Level) => {
    minute = now;
    await storeStatus(db, statusAt(now, pay));
    await watch.look();
    return watch.lines().pay;
  };
  expect(await lookAt(1, 'ok')).toEqual({ state: 'up', since: null });
  expect(await lookAt(2, 'fault')).toEqual({ state: 'down', since: at(2) });
  expect(await lookAt(3, 'fault')).toEqual({ state: 'down', since: at(2) });
  expect(await lookAt(4, 'warning')).toEqual({ state: 'up', since: at(4) });
  expect(await lookAt(5, 'ok')).toEqual({ state: 'up', since: at(4) });
});

test('without a worker payments are degraded, because they count later', async () => {
  const { db } = gateway.deps;
  await storeStatus(db, statusAt(10, 'ok'));
  let minute = 20;
  const watch = watchStatus(db, () => at(minute));
  await watch.look();
  // Our clock is ten minutes ahead of the worker's, and the status has just come.
  expect(watch.lines().pay).toEqual({ state: 'up', since: null });
  minute = 22;
  await watch.look();
  expect(watch.lines()).toEqual({
    practise: { state: 'up', since: null },
    pay: { state: 'degraded', since: at(22) },
    'sign-in': { state: 'up', since: null },
  });
});

test('without a database nothing works, and the page needs none to say so', async () => {
  const away = createPool('postgres://x:x@127.0.0.1:1/x', { applicationName: 'test' });
  onTestFinished(() => away.end());
  const watch = watchStatus(away, () => at(20));
  await watch.look();
  const down = { state: 'down', since: at(20) };
  expect(watch.lines()).toEqual({ practise: down, pay: down, 'sign-in': down });
});
