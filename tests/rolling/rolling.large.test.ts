import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { prepareQueueBackend } from '@proveklar/services/events/queue-backend.ts';
import { buildApp } from '@proveklar/gateway/app.ts';
import { PROJECT_DIR } from '@proveklar/local/settings.ts';
import { layOut, versionBefore } from '@proveklar/local/version-before.ts';
import { startBalancer, type Balancer } from '#support/balancer.ts';
import { allConsumed } from '#support/consumed.ts';
import { signInAdmin } from '#support/examples/set-up.ts';
import { addDays, createQuestions, setPrice } from '#support/factories.ts';
import { createTestDeps, useTestGateway } from '#support/gateway.ts';
import { useTestMailbox } from '#support/mailbox.ts';
import { stripeControl } from '#support/pay.ts';
import { bySize, testSeed, testSettings } from '#support/settings.ts';
import { queueBackends } from '#support/shared.ts';
import { readLedger } from '../payments/ledger.ts';
import { startCourier } from '../payments/courier.ts';
import { printTable } from '#support/figures.ts';
import { startLoad } from './load.ts';
import { createStrictClient, startPaying } from './payments.ts';
import { inTurn, startServices, type Services, type ServicesOptions } from './services.ts';

// Rolling releases are invisible: processes are ended and restarted while learners answer, listen and pay,
// and no request fails.
const { ROLLING_RESTARTS, ROLLING_FROM } = testSettings();
const RESTARTS = Number(ROLLING_RESTARTS ?? bySize({ quick: 2, large: 2, full: 6 }));
const EVERY_MS = 5_000;
const LEARNERS = 6;
const PAUSE_MS = 60;
/** How long a gateway drains after the first signal. */
const DRAIN_S = 30;
const SEED = testSeed('these payments');

const gateway = useTestGateway();
const mailbox = useTestMailbox();
const { redisUrl } = (await queueBackends()).at(-1)!;
let tokens: string[];
let folder: string | undefined;
let services: Services | undefined;
let balancer: Balancer | undefined;

beforeAll(async () => {
  const { db } = gateway.deps;
  await setPrice(db, 149_00);
  await createQuestions(db, { topic: 'Historie', count: 200 });
  tokens = await Promise.all(
    Array.from({ length: LEARNERS }, async () => {
      const user = await gateway.identity.createPasswordUser();
      await addDays(db, user, 30);
      return user.idToken;
    }),
  );
  folder = await mkdtemp(join(tmpdir(), 'proveklar-rolling-'));
});
let passed = true;
afterEach(async ({ task }) => {
  await balancer?.close();
  await services?.stop();
  services = balancer = undefined;
  passed &&= task.result?.state !== 'fail';
});
afterAll(async () => {
  if (!folder) return;
  if (passed) await rm(folder, { recursive: true });
  else process.stdout.write(`Logs of the processes: ${folder}\n`);
});

/** Runs the load while `during` runs, and checks that nothing was lost. */
async function underLoad(
  options: Partial<ServicesOptions>,
  title: string,
  during: (services: Services) => Promise<{ longestPauseMs: number }>,
): Promise<void> {
  const { db, config, stripe } = gateway.deps;
  const queueUrl = redisUrl ?? config.DATABASE_URL;
  await emptyRedis();
  await prepareQueueBackend(queueUrl);
  services = await startServices({
    config,
    queueUrl,
    smtpUrl: mailbox.smtpUrl,
    folder: folder!,
    ...options,
  });
  balancer = await startBalancer(services.gatewayPorts);
  const { url, failures } = balancer;

  const intents = new Map<string, number>();
  const numbers = new Map<string, number>();
  const begun = Date.now();
  const load = startLoad({ url, tokens, pauseMs: PAUSE_MS });
  const courier = startCourier({
    stripe,
    webhookUrl: `${url}/api/v1/stripe/webhook`,
    seed: SEED,
    numberOf: (intentId) => numbers.get(intentId) ?? null,
  });
  const world = {
    db,
    stripe,
    control: stripeControl(gateway),
    identity: gateway.identity,
    client: createStrictClient(`${url}/api/v1`, load.failures),
    seed: SEED + begun,
    onBegun: (intentId: string, { number }: { number: number }) => numbers.set(intentId, number),
    onPaid: (intentId: string) => intents.set(intentId, Date.now()),
    onDone: () => {},
  };
  const paying = startPaying(world, 500);
  const { longestPauseMs } = await during(services);
  await paying.finish();
  await load.finish();
  await courier.finish();
  const seconds = (Date.now() - begun) / 1000;
  const isDone = await allConsumed(db).then(
    () => true,
    () => false,
  );

  const acknowledged = load.acknowledged.size;
  const { rows } = await db.query<{ stored: number; counted: number }>(
    `select (select count(*)::int from quiz_answer) as stored,
            (select coalesce(sum(times_correct + times_incorrect), 0)::int
             from question_statistics) as counted`,
  );
  const { stored, counted } = rows[0]!;
  const ledger = await readLedger(db);
  const uncredited = [...intents.keys()].filter((id) => ledger.get(id)?.credits !== 1).length;
  const { endings } = services;
  printTable(title, {
    'queues on': redisUrl ? 'redis' : 'postgres',
    seconds: Math.round(seconds),
    'answers acknowledged': acknowledged,
    'answers stored': stored,
    'answers counted': counted,
    'all is done': isDone ? 'yes' : 'no',
    'answers per second': Math.round(acknowledged / seconds),
    'payments made': intents.size,
    'payments not credited once': uncredited,
    'webhooks delivered': courier.delivered(),
    'streams opened': load.streams.opened,
    'streams sent off': load.streams.ended,
    'longest gap of a stream, ms': load.streams.longestGapMs,
    'processes ended': endings.length,
    'longest exit, ms': Math.max(...endings.map(({ ms }) => ms)),
    'longest time between two, ms': longestPauseMs,
    'sent to another gateway': balancer.retries(),
    'failed requests': load.failures.length + failures.length,
  });
  expect([...load.failures, ...failures]).toEqual([]);
  expect({ isDone, stored, counted, uncredited }).toEqual({
    isDone: true,
    stored: acknowledged,
    counted: acknowledged,
    uncredited: 0,
  });
  // One that passes its own deadline exits with 1.
  expect(endings.filter(({ code }) => code !== 0)).toEqual([]);
  // So that the next test counts only its own rows.
  await db.query('truncate quiz, question_statistics, outbox, event_batch cascade');
}

async function emptyRedis(): Promise<void> {
  if (!redisUrl) return;
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  await redis.quit();
}

test(`no request fails in ${RESTARTS} restarts of a process`, () =>
  underLoad({}, 'Restarted one by one', (started) => {
    const { names } = started;
    const order = Array.from({ length: RESTARTS }, (_, n) => names[n % names.length]!);
    return inTurn(started, order, { everyMs: EVERY_MS });
  }));

test('no request fails in a rolling release and its rollback, on the new version’s tables', async ({
  skip,
}) => {
  const before = ROLLING_FROM ?? (await versionBefore());
  skip(before === null, 'no version before: not run');
  const version = await layOut(before!);
  try {
    await underLoad({ version }, `From ${before!} and back`, async (started) => {
      const { names } = started;
      const forth = await inTurn(started, names, { everyMs: EVERY_MS, version: PROJECT_DIR });
      const back = await inTurn(started, names, { everyMs: EVERY_MS, version });
      return { longestPauseMs: Math.max(forth.longestPauseMs, back.longestPauseMs) };
    });
  } finally {
    await rm(version, { recursive: true });
  }
});

test('a second signal ends a process at once', async () => {
  const { config } = gateway.deps;
  const queueUrl = redisUrl ?? config.DATABASE_URL;
  const { smtpUrl } = mailbox;
  services = await startServices({
    config,
    queueUrl,
    smtpUrl,
    folder: folder!,
    drainSeconds: DRAIN_S,
  });
  const { code, ms } = await services.endTwice('gateway-1');
  expect(code).toBe(1);
  expect(ms).toBeLessThan((DRAIN_S * 1000) / 2);
});

test('an upload cut off by the end of a gateway is told to retry, and leaves nothing behind', async () => {
  const { deps } = gateway;
  const { token } = await signInAdmin(gateway);
  const app = await buildApp(createTestDeps(deps.config));
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const id = crypto.randomUUID();
  const sending = request(`${address}/api/v1/import/questions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': id,
      'transfer-encoding': 'chunked',
    },
  });
  const answer = new Promise<number>((resolve, reject) => {
    sending.on('response', ({ statusCode = 0 }) => resolve(statusCode)).on('error', reject);
  });
  sending.write('[');
  const find = async () => {
    const { rows } = await deps.db.query(
      'select state, refusal->>$2 as reason from question_import where id = $1',
      [id, 'reason'],
    );
    return rows[0] as unknown;
  };
  await expect.poll(find).toMatchObject({ state: 'receiving' });
  await app.close();
  expect(await answer).toBe(503);
  expect(await find()).toEqual({ state: 'refused', reason: 'interrupted' });
});
