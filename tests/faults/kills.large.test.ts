import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '@proveklar/services/database/pool.ts';
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import { printTable } from '#support/figures.ts';
import { WEBHOOK_SECRET } from '#support/gateway.ts';
import { useTestMailbox } from '#support/mailbox.ts';
import { randomFor } from '#support/random.ts';
import { bySize, testSeed, testSettings } from '#support/settings.ts';
import { queueBackends } from '#support/shared.ts';
import { startStack, type TestStack } from '#support/stack.ts';
import { findDifferences, prepareLoad, type Load } from './load.ts';
import { openLink, type Link } from './network.ts';
import { recoveryOf } from './recovery.ts';

// The gateway and the workers of `npm start`, of which there is one each, are killed at random moments while
// learners answer and pay. The supervisor of `npm start` starts them again.
//
// How soon is asserted only on an idle machine:
//
//   RANDOM_KILLS=20 FULL=1 npm test -- tests/faults/kills
const { RANDOM_KILLS } = testSettings();
const KILLS = Number(RANDOM_KILLS ?? bySize({ quick: 4, large: 4, full: 20 }));
const MAIL_KILLS = bySize({ quick: 1, large: 1, full: 5 });
const SEED = testSeed('these kills');
/** Of 95 % of the kills. */
const MAX_BACK_S = 5;
/** The longest pause before a start is two seconds. */
const MAX_PAUSE_S = 3;
const MAX_MAIL_S = 15;
/** Most of a recovery is the start of a process, which other tests slow without limit. */
const IS_ALONE = RANDOM_KILLS !== undefined;
/** The longest time from one process being back to the next kill. */
const MAX_BETWEEN_MS = 3_000;
const LEARNERS_PAUSE_MS = 50;
const POLL_INTERVAL_MS = 20;

const NAMES = ['gateway', 'workers'] as const;
type Name = (typeof NAMES)[number];

describe.each(await queueBackends())('with queues on $name', ({ name: queues, redisUrl }) => {
  const mailbox = useTestMailbox();
  let relay: Link;
  let stack: TestStack;
  let db: Database;
  let load: Load;

  beforeAll(async () => {
    relay = await openLink(mailbox.smtpUrl);
    stack = await startStack({
      environment: {
        SMTP_URL: relay.through(mailbox.smtpUrl),
        STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
        ...(redisUrl && { QUEUE_URL: redisUrl }),
      },
    });
    db = stack.database.pool;
    load = await prepareLoad({
      url: `${stack.url}/api/v1`,
      db,
      identity: stack.identity,
      stripe: createStripeClient({ secretKey: 'sk_test_local', apiUrl: stack.stripeUrl }),
      pauseMs: LEARNERS_PAUSE_MS,
    });
  });
  afterAll(async () => {
    await stack?.close();
    await relay?.close();
  });

  // Of all kills of the first test, in seconds.
  const back: Record<Name, number[]> = { gateway: [], workers: [] };
  const pauses: number[] = [];
  /** Of the mails of the second, in seconds. */
  const mailed: number[] = [];

  const kill = (name: Name): Date => {
    process.kill(stack.pid(name), 'SIGKILL');
    return new Date();
  };

  /** Waits until the process has another id. @returns the seconds since then */
  async function startedAgain(name: Name, pid: number, since: Date): Promise<number> {
    while (stack.pid(name) === pid) await sleep(POLL_INTERVAL_MS);
    return secondsSince(since);
  }

  /** Waits until a call that began after then is acknowledged. @returns the seconds since then */
  async function answered(since: Date): Promise<number> {
    while (load.lastBegun <= since.getTime()) await sleep(POLL_INTERVAL_MS);
    return secondsSince(since);
  }

  /** Waits until a worker has counted answers that were stored after then. @returns the seconds since then */
  async function counted(since: Date): Promise<number> {
    for (;;) {
      const { rows } = await db.query<{ counted: boolean }>(
        `select exists (
           select from event_delivery join event_batch on id = batch_id
           where queue = 'statistics' and done_at > $1
             and uuid_extract_timestamp((events -> 0 ->> 'id')::uuid) > $1) as counted`,
        [since],
      );
      if (rows[0]!.counted) return secondsSince(since);
      await sleep(POLL_INTERVAL_MS);
    }
  }

  test(`both processes work again after each of ${KILLS} random kills`, async () => {
    const random = randomFor(SEED, `kills with queues on ${queues}`);
    const left = Array.from({ length: KILLS }, (_, n) => NAMES[n % NAMES.length]!);
    load.begin();
    while (left.length > 0) {
      await sleep(random.below(MAX_BETWEEN_MS));
      const [name] = left.splice(random.below(left.length), 1) as [Name];
      const pid = stack.pid(name);
      const at = kill(name);
      const works = Promise.all([answered(at), counted(at)]);
      pauses.push(await startedAgain(name, pid, at));
      back[name].push(Math.max(...(await works)));
    }
    await load.end();
    await recoveryOf(db);

    const all = [...back.gateway, ...back.workers];
    const differences = await findDifferences(db, load);
    printTable(`Random kills (seed ${SEED}, queues on ${queues}); seconds until both work`, {
      kills: KILLS,
      'of the gateway': back.gateway.length,
      'of the workers': back.workers.length,
      'seconds until back, median': share(all, 0.5).toFixed(1),
      'seconds until back, 95 %': share(all, 0.95).toFixed(1),
      'seconds until back, slowest': share(all, 1).toFixed(1),
      'seconds of it until the start, slowest': share(pauses, 1).toFixed(1),
      'gateway, slowest': share(back.gateway, 1).toFixed(1),
      'workers, slowest': share(back.workers, 1).toFixed(1),
      'longest seconds until an answer was acknowledged': (load.longestWaitMs / 1000).toFixed(1),
      'longest seconds until an event was consumed': (await longestDelay(db)).toFixed(1),
      answers: load.answers,
      payments: load.payments.length,
      ...differences,
    });
    expect(load.refusals).toEqual([]);
    expect(differences).toEqual(Object.fromEntries(Object.keys(differences).map((n) => [n, 0])));
  });

  test.runIf(IS_ALONE)(`95 of 100 are back within ${MAX_BACK_S} s`, () => {
    const all = [...back.gateway, ...back.workers];
    expect(all).toHaveLength(KILLS);
    expect(share(pauses, 1)).toBeLessThan(MAX_PAUSE_S);
    expect(share(all, 0.95)).toBeLessThan(MAX_BACK_S);
  });

  test('mails that a killed worker was sending are sent', async () => {
    const sent: string[] = [];
    load.begin();
    for (let n = 0; n < MAIL_KILLS; n += 1) {
      relay.hold('server');
      await expect.poll(() => claimed(db), { interval: POLL_INTERVAL_MS }).not.toEqual([]);
      const at = kill('workers');
      relay.heal();
      const ids = await claimed(db);
      sent.push(...ids);
      const waiting = async () => (await unsent(db, ids)).length;
      await expect.poll(waiting, { interval: POLL_INTERVAL_MS }).toBe(0);
      mailed.push(secondsSince(at));
    }
    await load.end();
    await recoveryOf(db);
    const response = await fetch(`${mailbox.url}/mails.json`);
    const mails = (await response.json()) as { messageId: string }[];
    expect(sent.length).toBeGreaterThan(0);
    const copies = sent.map(
      (id) => mails.filter(({ messageId }) => messageId.startsWith(`<${id}@`)).length,
    );
    printTable(`Workers killed while they sent mails (queues on ${queues})`, {
      'kills while sending': MAIL_KILLS,
      'mails that were being sent': sent.length,
      'mails lost': copies.filter((count) => count === 0).length,
      'mails sent twice, with one Message-ID': copies.filter((count) => count > 1).length,
      'seconds until sent, slowest': share(mailed, 1).toFixed(1),
    });
    expect(copies.filter((count) => count === 0)).toEqual([]);
  });

  test.runIf(IS_ALONE)(`each of these mails is sent within ${MAX_MAIL_S} s`, () => {
    expect(mailed).toHaveLength(MAIL_KILLS);
    expect(share(mailed, 1)).toBeLessThan(MAX_MAIL_S);
  });
});

const secondsSince = (then: Date) => (Date.now() - then.getTime()) / 1000;

/** The value below or at which this share of them is; 0 for none. */
function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
}

/** The longest time, in seconds, from an event to the end of the last job that consumed it. */
async function longestDelay(db: Database): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(
    `select coalesce(max(extract(epoch from
         done_at - uuid_extract_timestamp((events -> 0 ->> 'id')::uuid))), 0)::float8 as seconds
     from event_delivery join event_batch on id = batch_id
     where queue in ('statistics', 'live', 'mail')`,
  );
  return rows[0]!.seconds;
}

/** The mails that a worker has a lease on. */
async function claimed(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from mail
     where sent_at is null and refused_at is null and claimed_until > clock_timestamp()`,
  );
  return rows.map(({ id }) => id);
}

async function unsent(db: Database, ids: string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from mail where id = any ($1) and sent_at is null',
    [ids],
  );
  return rows.map(({ id }) => id);
}
