import { join } from 'node:path';
import { freePorts } from '@proveklar/local/ports.ts';
import type { Child } from '@proveklar/local/processes.ts';
import { hasRedis, startRedis } from '@proveklar/local/redis.ts';
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

interface Backend {
  name: string;
  queueUrl: string;
  given: number[];
  counted: number[];
}

async function measure(bench: Bench): Promise<Measurement> {
  const [rounds, seconds] = bench.quick ? [1, 2] : [5, 10];
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
    return {
      value: median(embedded.counted),
      limit: median(backends.flatMap(({ given }) => given)),
      notes: [
        `a backlog of ${seconds} s at the gateway's maximum rate, then one worker process until all of it is counted; the median of ${rounds} rounds, alternating`,
        'from the first batch taken from the outbox to the last one counted, by the clock of the database; without the start of the process; nothing else runs meanwhile',
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
      ],
    };
  } finally {
    await gateway.stop();
    await redis?.stop();
  }
}
