import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@proveklar/local/postgres/cluster.ts';
import { layOut } from '@proveklar/local/version-before.ts';
import { migrate } from '@proveklar/services/database/migrate.ts';
import { createPool } from '@proveklar/services/database/pool.ts';
import { rebuildNext } from '@proveklar/services/learning/rebuild.ts';
import { overHttp, type Answered } from '#support/answer-rates.ts';
import { fillAnswers } from '#support/answers-database.ts';
import { nowAt, untilDrained } from '#support/drain.ts';
import { percentile, timed } from '#support/figures.ts';
import { startGateway, startWorkers } from '#support/product.ts';
import { NotMeasured } from '#not-measured.ts';
import type { Bench, Measurement, Row } from '#row.ts';

export const row: Row = {
  id: 'P14',
  title: 'Answers during the upgrade from the oldest version, and back',
  sides: {
    value: 'p99 of an answer during the background computation; the version before serves',
    limit: 'p99 of an answer before the upgrade',
  },
  unit: 'ms',
  target: { at: 'most', ratio: 2 },
  measure,
};

/** The oldest version from which an upgrade needs no stop, and the first migration that it lacks. */
const OLDEST = { revision: '560d1333', lacks: '20261122100000_sessions' };

async function measure(bench: Bench): Promise<Measurement> {
  const history = bench.quick ? 10_000 : 1_000_000;
  const seconds = bench.quick ? 2 : 10;
  const url = await bench.scratch.database('upgrade');
  const database = await fillAnswers(bench, url, history);
  await goBack(url);
  const before = await layOut(OLDEST.revision).catch(() => {
    throw new NotMeasured('the history of the repository is missing');
  });
  const environment = { LOG_LEVEL: 'info' };
  const gateway = await startGateway(bench, url, environment, before);
  const oldWorkers = await startWorkers(bench, url, environment, before);
  const stops = [gateway.stop, oldWorkers.stop];
  try {
    const answer = overHttp(bench, database, [gateway.url]);
    const since = await nowAt(url);
    const rate = (await answer({ seconds: 5 })).perSecond / 2;
    const phases: [string, Answered[]][] = [];
    phases.push(['before', [await answer({ seconds, rate })]]);

    let migrating: Promise<number> | undefined;
    // Within the load: what is prepared before it holds locks of its own.
    const begin = async () => {
      migrating = sleep((seconds * 1000) / 3).then(() => timed(() => migrate(url)));
    };
    const during = await answer({ seconds, rate, begin });
    const migrationMs = await migrating!;
    phases.push(['migration', [during]]);

    const startedAt = await nowAt(url);
    const newWorkers = await startWorkers(bench, url, environment);
    stops.push(newWorkers.stop);
    await oldWorkers.stop();
    const rebuild: Answered[] = [];
    do rebuild.push(await answer({ seconds, rate }));
    while (!(await isRebuilt(url)));
    const rebuildS = await rebuildSeconds(url, startedAt);
    phases.push(['computation', rebuild], ['after', [await answer({ seconds, rate })]]);

    await newWorkers.stop();
    const workersAgain = await startWorkers(bench, url, environment, before);
    stops.push(workersAgain.stop);
    phases.push(['rolled back', [await answer({ seconds, rate })]]);
    await untilDrained(url, since);
    await workersAgain.stop();
    await checkLearned(url);
    const latencies = (name: string) =>
      phases.find(([phase]) => phase === name)![1].flatMap((answered) => answered.latencies);
    return {
      value: percentile(99, latencies('computation')),
      limit: percentile(99, latencies('before')),
      notes: [
        `${history.toLocaleString('en')} answers of 1,000 learners; ${rate.toFixed(0)} answers a second at random moments, half of the gateway's maximum before`,
        `the migrations took ${migrationMs.toFixed(0)} ms, each in a transaction of its own, while answers went on`,
        `the computation took ${rebuildS.toFixed(0)} s by one worker process of the new version, which also counts the answers; the gateway is of the version before (${OLDEST.revision}), and so was the worker process before`,
        'rolled back: worker processes of the version before, on the new tables, until all is counted',
        'afterwards, every answer is in what learners remember',
      ],
      table: [
        ['phase', 'per second', 'p50, ms', 'p95, ms', 'p99, ms', 'slowest, ms'],
        ...phases.map(([name, answered]) => [
          name,
          (answered.reduce((sum, { perSecond }) => sum + perSecond, 0) / answered.length).toFixed(
            0,
          ),
          ...[50, 95, 99, 100].map((percent) => percentile(percent, latencies(name)).toFixed(1)),
        ]),
      ],
    };
  } finally {
    for (const stop of stops) await stop();
    await rm(before, { recursive: true });
    await bench.scratch.drop('upgrade');
  }
}

/** Undoes the migrations that the oldest version lacks. */
async function goBack(url: string): Promise<void> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ count: number }>(
      'select count(*)::int as count from migration where name >= $1',
      [OLDEST.lacks],
    ),
  );
  await migrate(url, 'down', rows[0]!.count);
  await withClient(url, (client) => client.query('vacuum analyze'));
}

async function isRebuilt(url: string): Promise<boolean> {
  const { rows } = await withClient(url, (client) =>
    client.query('select from learning_rebuild where completed_at is not null'),
  );
  return rows.length > 0;
}

async function rebuildSeconds(url: string, startedAt: string): Promise<number> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ seconds: number }>(
      'select extract(epoch from completed_at - $1)::float8 as seconds from learning_rebuild',
      [startedAt],
    ),
  );
  return rows[0]!.seconds;
}

/** Lets the later pass find what the old worker counted, and compares the number of answers. */
async function checkLearned(url: string): Promise<void> {
  const db = createPool(url, { applicationName: 'bench' });
  try {
    await db.query(`update learning_rebuild set completed_at = now() - interval '2 hours'`);
    while (await rebuildNext(db));
    const { rows } = await db.query<{ remembered: number; answers: number }>(
      `select (select sum(times_shown)::int from learner_question) as remembered,
              (select count(*)::int from quiz_answer) as answers`,
    );
    const { remembered, answers } = rows[0]!;
    if (remembered !== answers)
      throw new Error(`${remembered} of ${answers} answers are remembered.`);
  } finally {
    await db.end();
  }
}
