import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  openQueueBackend,
  prepareQueueBackend,
  type QueueBackend,
} from '@proveklar/services/events/queue-backend.ts';
import { setPrice } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { useTestMailbox } from '#support/mailbox.ts';
import { stripeControl } from '#support/pay.ts';
import { queueBackends } from '#support/shared.ts';
import { bySize, testSeed } from '#support/settings.ts';
import { compareBooks } from './ledger.ts';
import { createClient } from './client.ts';
import { startCourier } from './courier.ts';
import { describeBacklog, EMPTY_BACKLOG, openQueues, readBacklog } from './backlog.ts';
import { carryOut, type World } from './learner.ts';
import { planLearners, planPackets, type LearnerPlan, type PaymentPlan } from './plan.ts';
import { buyAndRedeem, checkPackets, type Redeemed } from './packets.ts';
import { startProcesses, type Processes } from './processes.ts';
import { randomFor } from '#support/random.ts';
import { printTable } from '#support/figures.ts';

// Every payment is credited once, although the learners' calls race and their connections drop, webhooks
// arrive up to five times, in any order or never, and the processes are killed meanwhile.
const isFull = bySize({ quick: false, large: false, full: true });
const SMALL = { payments: 50, packets: 8, kills: 2, workers: 1, atOnce: 12, lost: 0 };
const SIZE = bySize({
  quick: { ...SMALL, payments: 20, packets: 4 },
  large: SMALL,
  full: { payments: 1_000, packets: 100, kills: 20, workers: 2, atOnce: 12, lost: 50 },
});
const ALL = SIZE.payments + SIZE.packets;
const SEED = testSeed('these payments');
const PAYMENT_METHODS = 'card,vipps';
/** The schedules that find lost events are minutes apart; only work that hangs takes longer than this. */
const DRAIN_TIMEOUT_MS = 10 * 60_000;

describe.each(await queueBackends())('with queues on $name', ({ name, redisUrl }) => {
  const gateway = useTestGateway();
  const mailbox = useTestMailbox();
  let folder: string;
  let backend: QueueBackend;
  let processes: Processes;

  beforeAll(async () => {
    const { db, config } = gateway.deps;
    await setPrice(db, 149_00);
    const queueUrl = redisUrl ?? config.DATABASE_URL;
    await prepareQueueBackend(queueUrl);
    backend = openQueueBackend(queueUrl);
    folder = await mkdtemp(join(tmpdir(), 'proveklar-payments-'));
    const environment = {
      SMTP_URL: mailbox.smtpUrl,
      REGISTRATION_GRACE_SECONDS: '1',
      PAYMENT_METHODS,
    };
    processes = await startProcesses({
      config: { ...config, PAYMENT_METHODS },
      queueUrl,
      workers: SIZE.workers,
      environment,
      folder,
    });
  });
  let passed = false;
  afterEach(({ task }) => {
    passed = task.result?.state === 'pass';
  });
  afterAll(async () => {
    await processes?.stop();
    await backend?.close();
    if (passed) await rm(folder, { recursive: true });
    else if (folder) process.stdout.write(`Logs of the processes: ${folder}\n`);
  });

  /** Runs all plans in order, a limited number at a time. */
  async function liveAll(
    world: World,
    learners: LearnerPlan[],
    packets: PaymentPlan[] = [],
    redeemed: Redeemed = new Map(),
  ): Promise<void> {
    const buyers = packets.map((plan) => () => buyAndRedeem(world, plan, redeemed));
    const others = learners.map((learner) => () => carryOut(world, learner));
    const waiting = mix(others, buyers).values();
    const live = async () => {
      for (const work of waiting) await work();
    };
    await Promise.all(Array.from({ length: SIZE.atOnce }, live));
  }

  /** Does at once what the schedule does within a minute. */
  async function hurry(): Promise<void> {
    await gateway.deps.db.query(
      `update schedule set next_at = clock_timestamp()
     where name = 'missed-stripe-events'
       and not exists (select from reconciliation where state <> 'done')`,
    );
  }

  test(`${ALL} payments are credited once each, whatever happens`, async () => {
    const began = Date.now();
    const { db, stripe } = gateway.deps;
    const plans = new Map<string, PaymentPlan>();
    const paidAt = new Map<string, number>();
    const random = randomFor(SEED, 'kills');
    const moments = Array.from({ length: SIZE.kills }, () => random.below(ALL * 0.95));
    moments.sort((a, b) => a - b);
    let done = 0;
    let killed = 0;
    let unkept = 0;
    let killing = Promise.resolve();

    const courier = startCourier({
      stripe,
      webhookUrl: `${processes.url}/stripe/webhook`,
      seed: SEED,
      numberOf: (intentId) => {
        const plan = plans.get(intentId);
        return plan && !plan.withoutWebhooks ? plan.number : null;
      },
    });
    // An event answered with 200 is stored, also when the gateway is killed right after.
    const countUnkept = async () => {
      const ids = [...courier.acknowledged];
      const { rows } = await db.query<{ kept: number }>(
        `select count(*)::int as kept from stripe_event where id = any ($1)`,
        [ids],
      );
      unkept += ids.length - rows[0]!.kept;
    };
    const kill = async () => {
      // The gateway and the workers in turn, so that even the smallest run kills each.
      const workers = processes.names.slice(1);
      const name = killed % 2 === 0 ? workers[random.below(workers.length)]! : 'gateway';
      killed += 1;
      await processes.kill(name, countUnkept);
    };
    const world: World = {
      db,
      stripe,
      control: stripeControl(gateway),
      identity: gateway.identity,
      client: createClient(processes.url),
      seed: SEED,
      onBegun: (intentId, plan) => plans.set(intentId, plan),
      onPaid: (intentId) => paidAt.set(intentId, Date.now()),
      onDone: () => {
        done += 1;
        // Payments started from here on cost less and give fewer days.
        if (done === Math.floor(ALL * 0.7)) void setPrice(db, 99_00, 20);
        while (moments.length > 0 && moments[0]! <= done) {
          moments.shift();
          killing = killing.then(kill);
        }
      },
    };

    const redeemed: Redeemed = new Map();
    const packets = planPackets(SEED, SIZE.packets, SIZE.payments + 1);
    await liveAll(world, planLearners(SEED, SIZE.payments), packets, redeemed);
    await killing;
    await courier.finish();
    const seconds = Math.round((Date.now() - began) / 1000);
    const queues = openQueues(backend);
    const waiting = async () => {
      if (!isFull) await hurry();
      return readBacklog(db, stripe, queues, isFull);
    };
    const allDone = async () => {
      try {
        await expect
          .poll(waiting, { timeout: DRAIN_TIMEOUT_MS, interval: 500 })
          .toEqual(EMPTY_BACKLOG);
      } catch (error) {
        await describe(error);
      }
    };
    const describe = async (error: unknown) => {
      process.stdout.write(`Still waiting:\n${await describeBacklog(db, queues)}\n`);
      throw error;
    };
    await allDone();
    const drainedAfter = Math.round((Date.now() - began) / 1000);

    const lost = await loseEveryWebhook(world, paidAt);
    await allDone();
    await countUnkept();

    const books = await compareBooks(db, stripe, gateway.identity);
    const { truths, booked, credited, takenBack, unusable, stale } = books;
    const waits = booked.flatMap(({ payment_intent_id: id, credited_at }) => {
      const from = paidAt.get(id);
      return from && credited_at ? [{ plan: plans.get(id), ms: credited_at.getTime() - from }] : [];
    });
    const worst = (those: typeof waits) => Math.max(0, ...those.map(({ ms }) => ms)) / 1000;
    const toldOf = waits.filter(({ plan }) => plan && !plan.withoutWebhooks);
    const countPlans = (start: string) =>
      [...plans.values()].filter(({ bankOutcome }) => bankOutcome.startsWith(start)).length;
    const packetChecks = await checkPackets({ db, identity: gateway.identity }, truths, redeemed);
    const checks = {
      ...packetChecks,
      ...books.checks,
      'acknowledged webhooks lost': unkept,
      'faulty answers': world.client.faults.length,
    };
    printTable(`Payments (seed ${SEED}, queues on ${name})`, {
      payments: done,
      'by wallet': countPlans('wallet'),
      'by a redirect': countPlans('redirect'),
      'clients that died on the way': [...plans.values()].filter(({ dies }) => dies !== 'never')
        .length,
      'paid at Stripe': truths.filter(({ succeeded }) => succeeded).length,
      'packets of codes paid': truths.filter(
        ({ succeeded, purpose }) => succeeded && purpose === 'packet',
      ).length,
      'codes redeemed': [...redeemed.values()].filter(({ size }) => size > 0).length,
      'credited days': credited,
      'taken-back days': takenBack,
      'webhooks delivered': courier.delivered(),
      kills: killed,
      'seconds until all were made': seconds,
      'seconds until all was settled': drainedAfter,
      'worst seconds to credit': worst(waits),
      'worst without the tenth unheard of': worst(toldOf),
      ...lost,
      ...checks,
    });
    expect({ unusable, stale, faults: world.client.faults }).toEqual({
      unusable: [],
      stale: [],
      faults: [],
    });
    expect(checks).toEqual(Object.fromEntries(Object.keys(checks).map((name) => [name, 0])));
    expect([done, killed]).toEqual([ALL + SIZE.lost, SIZE.kills]);
  });

  /** Payments without a webhook or a confirm call: only the schedule finds them. */
  async function loseEveryWebhook(
    world: World,
    paidAt: ReadonlyMap<string, number>,
  ): Promise<Record<string, number>> {
    if (SIZE.lost === 0) return {};
    const { db } = gateway.deps;
    const silent = {
      bankOutcome: 'paid',
      reversal: 'none',
      confirmsBefore: 0,
      confirmsAfter: 0,
    } as const;
    const learners = planLearners(SEED + 1, SIZE.lost).map((learner) => ({
      ...learner,
      // One payment per learner: the learner's next one would settle the one before.
      payments: learner.payments.map((plan) => ({ ...plan, ...silent, withoutWebhooks: true })),
    }));
    const before = new Set(paidAt.keys());
    await liveAll(world, learners);
    const intents = [...paidAt.keys()].filter((id) => !before.has(id));
    const uncredited = async () => {
      const { rows } = await db.query<{ left: number }>(
        `select count(*)::int as left from payment
       where payment_intent_id = any ($1) and state <> 'settled'`,
        [intents],
      );
      return rows[0]!.left;
    };
    await expect.poll(uncredited, { timeout: DRAIN_TIMEOUT_MS, interval: 500 }).toBe(0);
    const { rows } = await db.query<{ id: string; at: Date }>(
      `select payment_intent_id as id, settled_at as at from payment
     where payment_intent_id = any ($1)`,
      [intents],
    );
    const worst = Math.max(...rows.map(({ id, at }) => at.getTime() - paidAt.get(id)!));
    return { 'worst seconds, every webhook lost': worst / 1000 };
  }
});

/** Spreads the second list evenly among the first. */
function mix<T>(many: T[], few: T[]): T[] {
  const every = Math.ceil(many.length / Math.max(1, few.length));
  const spread = many.flatMap((one, index) => {
    const other = index % every === 0 ? few[index / every] : undefined;
    return other === undefined ? [one] : [one, other];
  });
  return [...spread, ...few.filter((one) => !spread.includes(one))];
}
