import { join } from 'node:path';
import { loadOnDemand } from '@proveklar/local/on-demand.ts';
import { freePorts } from '@proveklar/local/ports.ts';
import { type Child, runToEnd } from '@proveklar/local/processes.ts';
import { hasRedis, startRedis } from '@proveklar/local/redis.ts';
import type { JobsOrder, JobsResult } from '#load/one-job-an-answer.ts';
import { overHttp } from '#support/answer-rates.ts';
import { answersDatabase } from '#support/answers-database.ts';
import { nowAt, untilDrained } from '#support/drain.ts';
import { interleaved, median } from '#support/figures.ts';
import { startGateway, startWorkers } from '#support/product.ts';
import type { Bench, Measurement, Row } from '#row.ts';

export const row: Row = {
  id: 'P6',
  title: 'Throughput of the statistics in answers per second',
  sides: {
    value: 'counted by one worker process from a backlog, PostgreSQL as the queue',
    limit: 'accepted by the gateway (P1)',
  },
  unit: 'per second',
  target: { at: 'least', ratio: 4 },
  measure,
};

/** Libraries that do the same work with a job for each answer. */
const OTHERS = [
  { library: 'bullmq', name: 'BullMQ on Redis' },
  { library: 'graphile-worker', name: 'graphile-worker on PostgreSQL' },
] as const;
const JOBS_PROCESS = join(import.meta.dirname, '../load/one-job-an-answer.ts');
const JOB_QUEUES = {
  name: 'BullMQ and graphile-worker',
  folder: 'bench/job-queues',
  megabytes: 26,
};

interface Backend {
  name: string;
  queueUrl: string;
  given: number[];
  counted: number[];
}

async function measure(bench: Bench): Promise<Measurement> {
  const [rounds, seconds] = bench.quick ? [1, 2] : [5, 30];
  const history = bench.quick ? 10_000 : 1_000_000;
  const database = await answersDatabase(bench, history);
  const backend = (name: string, queueUrl: string): Backend => ({
    name,
    queueUrl,
    given: [],
    counted: [],
  });
  const embedded = backend('PostgreSQL', database.url);
  let redis: Child | undefined;
  const backends = [embedded];
  if (hasRedis()) {
    const [port = 0] = await freePorts(1);
    redis = await startRedis(port, join(bench.scratch.dir, 'redis.log'));
    backends.push(backend('Redis', `redis://127.0.0.1:${port}`));
  }
  const gateway = await startGateway(bench, database.url, { LOG_LEVEL: 'info' });
  try {
    const answer = overHttp(bench, database, [gateway.url]);
    const round = async ({ queueUrl, given, counted }: Backend) => {
      await database.clearOutbox();
      const { answers, perSecond } = await answer({ seconds });
      const since = await nowAt(database.url);
      const workers = await startWorkers(bench, database.url, {
        QUEUE_URL: queueUrl,
        LOG_LEVEL: 'info',
      });
      try {
        const drained = await untilDrained(database.url, since);
        if (drained.events !== answers) {
          throw new Error(`${answers} answers were sent, ${drained.events} counted.`);
        }
        given.push(perSecond);
        counted.push(drained.events / drained.seconds);
      } finally {
        await workers.stop();
      }
      return 0;
    };
    await answer({ seconds: bench.quick ? 1 : 5 });
    await interleaved(
      rounds,
      backends.map((each) => () => round(each)),
    );
    const others = redis ? await countByOthers(bench, database.url, backends.at(-1)!.queueUrl) : [];
    return {
      value: median(embedded.counted),
      limit: median(backends.flatMap(({ given }) => given)),
      notes: [
        `a backlog of ${seconds} s at the gateway's maximum rate, then one worker process until all of it is counted; the median of ${rounds} rounds, alternating`,
        'from the first batch taken from the outbox to the last one counted, by the clock of the database; without the start of the process; the daily jobs ran before, and nothing else runs meanwhile',
        ...(redis
          ? []
          : ['redis-server is missing, so Redis was not measured: apt-get install redis-server']),
      ],
      table: [
        ['queue', 'accepted, per second', 'counted, per second', 'ratio'],
        ...backends.map(({ name, given, counted }) => [
          name,
          median(given).toFixed(0),
          median(counted).toFixed(0),
          (median(counted) / median(given)).toFixed(2),
        ]),
        ...others.map(({ name, perSecond }) => [
          `a job for each answer: ${name}`,
          '',
          perSecond.toFixed(0),
          (perSecond / median(backends.flatMap(({ given }) => given))).toFixed(2),
        ]),
      ],
    };
  } finally {
    await gateway.stop();
    await redis?.stop();
  }
}

/** The same answers counted again, with a job for each, by one process at a time. */
async function countByOthers(bench: Bench, databaseUrl: string, redisUrl: string) {
  await loadOnDemand(JOB_QUEUES, bench.say);
  const results = [];
  for (const { library, name } of OTHERS) {
    const rates: number[] = [];
    for (let round = 0; round < (bench.quick ? 1 : 3); round += 1) {
      const answers = bench.quick ? 300 : 10_000;
      const order: JobsOrder = { library, databaseUrl, redisUrl, answers };
      const output = await runToEnd({
        name,
        command: [process.execPath, JOBS_PROCESS, JSON.stringify(order)],
        env: { PATH: process.env.PATH },
      });
      const { jobs, seconds } = JSON.parse(output) as JobsResult;
      rates.push(jobs / seconds);
    }
    results.push({ name, perSecond: median(rates) });
  }
  return results;
}
