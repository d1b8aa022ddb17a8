import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@proveklar/local/postgres/cluster.ts';
import { freePorts } from '@proveklar/local/ports.ts';
import type { Child } from '@proveklar/local/processes.ts';
import { hasRedis, startRedis } from '@proveklar/local/redis.ts';
import { overHttp } from '#support/answer-rates.ts';
import { answersDatabase, type AnswersDatabase } from '#support/answers-database.ts';
import { nowAt, untilDrained } from '#support/drain.ts';
import { interleaved, median } from '#support/figures.ts';
import { CONNECTIONS } from '#support/given-answers.ts';
import { ProcessorTimes, requireProcessorTimes } from '#support/processor-time.ts';
import { startGateway, startWorkers, type Service } from '#support/product.ts';
import type { Bench, Measurement, Row } from '#row.ts';

export const row: Row = {
  id: 'P12',
  title: 'CPU cost of an answer as the service grows',
  sides: {
    value: "the processors' time for one answer, until it is counted: the dearest",
    limit: 'the same for the smallest size of its series',
  },
  unit: 'ms',
  target: { at: 'most', ratio: 1.1 },
  measure,
};

/**
 * Four worker processes have four times as many connections as one, each of which plans its statements five times and
 * meets each page of the shared memory once. That is no cost of growth.
 */
const WARM_UP_SECONDS = 20;

interface Size {
  gateways: number;
  workers: number;
  /** The number of answers in the table before. */
  history: number;
}

interface Case extends Size {
  series: string;
}

/** CPU milliseconds per answer. */
interface Cost {
  gateways: number;
  workers: number;
  redis: number;
  database: number;
  perSecond: number;
  /** Answers that a gateway stored in a transaction, on average. */
  inCommit: number;
}

async function measure(bench: Bench): Promise<Measurement> {
  requireProcessorTimes();
  const histories = bench.quick ? [1_000, 10_000] : [10_000, 1_000_000, 10_000_000];
  const [rounds, seconds] = bench.quick ? [1, 1] : [3, 15];
  const usual: Size = { gateways: 1, workers: 1, history: histories[1]! };
  const cases: Case[] = [
    ...[1, 2].map((gateways) => ({ ...usual, gateways, series: 'gateways' })),
    ...(bench.quick ? [1, 2] : [1, 2, 4]).map((workers) => ({
      ...usual,
      workers,
      series: 'workers',
    })),
    ...histories.map((history) => ({ ...usual, history, series: 'answers in the table' })),
  ];
  // A measurement that several series share runs once.
  const keyOf = ({ gateways, workers, history }: Size) => `${gateways} ${workers} ${history}`;
  const sizes = new Map(cases.map((each) => [keyOf(each), each]));
  const costs = new Map<string, Cost[]>([...sizes.keys()].map((key) => [key, []]));
  const databases = new Map<number, AnswersDatabase>();
  for (const history of histories) databases.set(history, await answersDatabase(bench, history));
  const queue = hasRedis() ? await startQueue(bench) : undefined;
  const idle: string[] = [];
  try {
    for (const workers of bench.quick ? [1, 2] : [1, 2, 4]) {
      idle.push(await idleCostOf(bench, databases.get(usual.history)!, queue, workers));
    }
    await interleaved(
      rounds,
      [...sizes].map(([key, size]) => async () => {
        const database = databases.get(size.history)!;
        costs.get(key)!.push(await costOf(bench, database, queue, size, seconds));
        return 0;
      }),
    );
  } finally {
    await queue?.child.stop();
  }
  return summary(
    cases.map((each) => ({ ...each, cost: medianOf(costs.get(keyOf(each))!) })),
    [
      queue
        ? 'queues on Redis, as in production with more than one worker process'
        : 'queues on PostgreSQL, because redis-server is missing: apt-get install redis-server',
      `CPU milliseconds per answer: gateways, workers, Redis and PostgreSQL, from the first answer until the last is counted; the median of ${rounds} rounds of ${seconds} s, alternating`,
      `measured after ${WARM_UP_SECONDS} s of the same load`,
      `each series changes one thing: otherwise one gateway, one worker process, ${usual.history.toLocaleString('en')} answers in the table; each gateway has ${CONNECTIONS} connections`,
      'answers per second: of all processes and the load generator on the CPUs of this host, so two gateways are not faster when one and PostgreSQL use all CPUs',
      `idle, CPU milliseconds per second: ${idle.join('; ')}`,
      'within 10 % of flat: the rate of answers grows in proportion to the CPUs',
    ],
  );
}

interface Queue {
  url: string;
  child: Child;
}

async function startQueue(bench: Bench): Promise<Queue> {
  const [port = 0] = await freePorts(1);
  const child = await startRedis(port, join(bench.scratch.dir, 'redis.log'));
  return { url: `redis://127.0.0.1:${port}`, child };
}

async function costOf(
  bench: Bench,
  database: AnswersDatabase,
  queue: Queue | undefined,
  size: Size,
  seconds: number,
): Promise<Cost> {
  await database.clearOutbox();
  const environment = { LOG_LEVEL: 'info', ...(queue && { QUEUE_URL: queue.url }) };
  const running: Service[] = [];
  const start = async (count: number, one: typeof startGateway) => {
    const started: Service[] = [];
    for (let index = 0; index < count; index += 1) {
      started.push(await one(bench, database.url, environment));
      running.push(started.at(-1)!);
    }
    return started;
  };
  try {
    const gateways = await start(size.gateways, startGateway);
    const workers = await start(size.workers, startWorkers);
    const urls = gateways.map(({ url }) => url);
    const answer = overHttp(bench, database, urls);
    await answer({ seconds: bench.quick ? 0.5 : WARM_UP_SECONDS });
    const since = await nowAt(database.url);
    await untilDrained(database.url, since);
    // Creates quizzes and cleans up first, which does not count as cost.
    const queues = queue ? queue.child.pids.map((pid) => ({ pid })) : [];
    const times = new ProcessorTimes(gateways, workers, queues, database.url);
    const { answers, perSecond } = await answer({ seconds, begin: () => times.begin() });
    await untilDrained(database.url, since);
    const { ofGateways, ofWorkers, ofQueues, ofDatabase } = await times.end();
    return {
      gateways: ofGateways / answers,
      workers: ofWorkers / answers,
      redis: ofQueues / answers,
      database: ofDatabase / answers,
      perSecond,
      inCommit: await answersInCommit(database.url, since),
    };
  } finally {
    for (const service of running) await service.stop();
  }
}

/** The average of the transactions that have stored answers since. */
async function answersInCommit(url: string, since: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ answers: number }>(
      `select count(*)::float8 / count(distinct xmin::text) as answers
       from quiz_answer where answered_at > $1::timestamptz`,
      [since],
    );
    return rows[0]!.answers;
  });
}

/** What worker processes cost that have nothing to do, in words. */
async function idleCostOf(
  bench: Bench,
  database: AnswersDatabase,
  queue: Queue | undefined,
  count: number,
): Promise<string> {
  await database.clearOutbox();
  const [settled, seconds] = bench.quick ? [1, 2] : [10, 20];
  const environment = { LOG_LEVEL: 'info', ...(queue && { QUEUE_URL: queue.url }) };
  const workers: Service[] = [];
  try {
    for (let index = 0; index < count; index += 1) {
      workers.push(await startWorkers(bench, database.url, environment));
    }
    await sleep(settled * 1000);
    const queues = queue ? queue.child.pids.map((pid) => ({ pid })) : [];
    const times = new ProcessorTimes([], workers, queues, database.url);
    await times.begin();
    await sleep(seconds * 1000);
    const { ofWorkers, ofQueues, ofDatabase } = await times.end();
    const [own, redis, postgres] = [ofWorkers, ofQueues, ofDatabase].map((ms) => ms / seconds);
    return `${count} worker process${count === 1 ? '' : 'es'} ${own!.toFixed(1)}, Redis ${redis!.toFixed(1)}, PostgreSQL ${postgres!.toFixed(1)}`;
  } finally {
    for (const worker of workers) await worker.stop();
  }
}

const totalOf = ({ gateways, workers, redis, database }: Cost) =>
  gateways + workers + redis + database;

function medianOf(costs: Cost[]): Cost {
  const of = (name: keyof Cost) => median(costs.map((cost) => cost[name]));
  return {
    gateways: of('gateways'),
    workers: of('workers'),
    redis: of('redis'),
    database: of('database'),
    perSecond: of('perSecond'),
    inCommit: of('inCommit'),
  };
}

function summary(cases: (Case & { cost: Cost })[], notes: string[]): Measurement {
  const smallestOf = (series: string) => cases.find((each) => each.series === series)!;
  const compared = cases.map((each) => {
    const [value, limit] = [totalOf(each.cost), totalOf(smallestOf(each.series).cost)];
    return { ...each, value, limit, ratio: value / limit };
  });
  const worst = compared.reduce((one, other) => (other.ratio > one.ratio ? other : one));
  return {
    value: worst.value,
    limit: worst.limit,
    notes: [
      `most expensive in comparison: ${worst.gateways} gateways, ${worst.workers} worker processes, ${worst.history.toLocaleString('en')} answers`,
      ...notes,
    ],
    table: [
      [
        'series',
        'gateways',
        'workers',
        'answers in the table',
        'answers per second',
        'in a commit',
        'gateways, ms',
        'workers, ms',
        'Redis, ms',
        'PostgreSQL, ms',
        'all, ms',
        'ratio',
      ],
      ...compared.map(({ series, gateways, workers, history, cost, value, ratio }) => [
        series,
        ...[gateways, workers, history].map(String),
        cost.perSecond.toFixed(0),
        cost.inCommit.toFixed(1),
        ...[cost.gateways, cost.workers, cost.redis, cost.database, value].map((ms) =>
          ms.toFixed(3),
        ),
        ratio.toFixed(2),
      ]),
    ],
  };
}
