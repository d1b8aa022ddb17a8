import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PROJECT_DIR } from '@proveklar/local/settings.ts';
import { createPool, type Database, withTransaction } from '@proveklar/services/database/pool.ts';
import type { EventPayload } from '@proveklar/services/events/catalogue.ts';
import { recordAnswers } from '@proveklar/services/learning/record-answers.ts';
import { regradeLateAnswers } from '@proveklar/services/quiz/regrade.ts';
import { countAnswers } from '@proveklar/services/statistics/count-answers.ts';

// A worker process that counts answers as most services would: a job for each answer, which carries it, without
// outbox and batches. It does with it what `workers/statistics.ts` does. Options: JSON in the first argument;
// result: JSON on stdout.

export interface JobsOrder {
  /** `graphile-worker` keeps its jobs in the service's database, BullMQ in Redis. */
  library: 'bullmq' | 'graphile-worker';
  databaseUrl: string;
  redisUrl?: string;
  /** How many of the answers that the service has counted are counted again. */
  answers: number;
}

export interface JobsResult {
  jobs: number;
  /** From the start of the worker to the last answer, without the time in which the jobs were added. */
  seconds: number;
}

type Answer = EventPayload<'answer.submitted'>;
type Count = (answer: Answer) => Promise<void>;
type Backlog = { start: () => Promise<unknown>; stop: () => Promise<unknown> };

const CONCURRENCY = 10;
const JOBS_AT_ONCE = 1_000;
const QUEUE = 'one-job-an-answer';

const load = createRequire(join(PROJECT_DIR, 'bench/job-queues/package.json'));
const order = JSON.parse(process.argv[2]!) as JobsOrder;
const pool = createPool(order.databaseUrl, { applicationName: QUEUE, max: CONCURRENCY });
const answers = await readAnswers(pool);
const { promise: allCounted, resolve: end } = Promise.withResolvers<void>();
let left = answers.length;

const add = order.library === 'bullmq' ? addToBullmq : addToGraphileWorker;
const { start, stop } = await add(async (answer) => {
  await withTransaction(pool, async (tx) => {
    await regradeLateAnswers(tx, [answer]);
    await recordAnswers(tx, [answer], () => countAnswers(tx, [answer]));
  });
  left -= 1;
  if (left === 0) end();
});
const began = performance.now();
await start();
await allCounted;
const result: JobsResult = {
  jobs: answers.length,
  seconds: (performance.now() - began) / 1000,
};
await stop();
await pool.end();
process.stdout.write(JSON.stringify(result));

async function readAnswers(db: Database): Promise<Answer[]> {
  const { rows } = await db.query<{ answer: Answer }>(
    `select event->'payload' as answer
     from event_batch cross join lateral jsonb_array_elements(events) event
     where name = 'answer.submitted' limit $1`,
    [order.answers],
  );
  return rows.map(({ answer }) => answer);
}

/** The parts of the libraries that are used: they are installed on demand. */
interface Bullmq {
  Queue: new (
    name: string,
    options: object,
  ) => {
    addBulk: (jobs: { name: string; data: Answer; opts: object }[]) => Promise<unknown>;
    close: () => Promise<void>;
  };
  Worker: new (
    name: string,
    processor: (job: { data: Answer }) => Promise<void>,
    options: object,
  ) => { run: () => Promise<void>; close: () => Promise<void> };
}

interface GraphileWorker {
  Logger: new (logTo: () => () => void) => object;
  run: (options: object) => Promise<{ stop: () => Promise<void> }>;
  makeWorkerUtils: (options: object) => Promise<{
    migrate: () => Promise<void>;
    addJobs: (jobs: { identifier: string; payload: Answer }[]) => Promise<unknown>;
    release: () => Promise<void>;
  }>;
}

async function addToBullmq(count: Count): Promise<Backlog> {
  const { Queue, Worker } = load('bullmq') as Bullmq;
  const connection = { url: order.redisUrl!, maxRetriesPerRequest: null };
  const queue = new Queue(QUEUE, { connection });
  for (let from = 0; from < answers.length; from += JOBS_AT_ONCE) {
    const jobs = answers.slice(from, from + JOBS_AT_ONCE);
    await queue.addBulk(
      jobs.map((data) => ({ name: 'count', data, opts: { removeOnComplete: true } })),
    );
  }
  const worker = new Worker(QUEUE, ({ data }) => count(data), {
    connection,
    concurrency: CONCURRENCY,
    autorun: false,
  });
  return {
    start: async () => void worker.run(),
    stop: () => Promise.all([worker.close(), queue.close()]),
  };
}

async function addToGraphileWorker(count: Count): Promise<Backlog> {
  const { Logger, run, makeWorkerUtils } = load('graphile-worker') as GraphileWorker;
  const connectionString = order.databaseUrl;
  // It would log to stdout, where the result is.
  const logger = new Logger(() => () => undefined);
  const utils = await makeWorkerUtils({ connectionString, logger });
  await utils.migrate();
  for (let from = 0; from < answers.length; from += JOBS_AT_ONCE) {
    const jobs = answers.slice(from, from + JOBS_AT_ONCE);
    await utils.addJobs(jobs.map((payload) => ({ identifier: 'count', payload })));
  }
  await utils.release();
  let runner: { stop: () => Promise<void> } | undefined;
  return {
    async start() {
      runner = await run({
        taskList: { count: (payload: unknown) => count(payload as Answer) },
        // As its documentation says for throughput: jobs are taken and completed many at a time.
        preset: {
          worker: {
            connectionString,
            logger,
            concurrentJobs: CONCURRENCY,
            pollInterval: 100,
            localQueue: { size: 50 * CONCURRENCY },
            completeJobBatchDelay: 5,
          },
        },
      });
    },
    stop: async () => runner?.stop(),
  };
}
