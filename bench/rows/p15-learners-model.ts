import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { layOut, versionBeforeMigration } from '@proveklar/local/version-before.ts';
import { overHttp } from '#support/answer-rates.ts';
import { answersDatabase } from '#support/answers-database.ts';
import { nowAt, untilDrained } from '#support/drain.ts';
import { NotMeasured } from '#not-measured.ts';
import { interleaved, median } from '#support/figures.ts';
import { startGateway, startWorkers } from '#support/product.ts';
import type { Bench, Measurement, Row } from '#row.ts';

export const row: Row = {
  id: 'P15',
  title: "Answers while the learner's model is written",
  sides: {
    value:
      'per second: accepted while a worker process counts, or counted from a backlog; the worse',
    limit: 'the same by the version before the model',
  },
  unit: 'per second',
  target: { at: 'least', ratio: 0.9 },
  measure,
};

/** The first of the model's tables. */
const MIGRATION = '20261124100000_learning';

/** A version of the product. */
interface Variant {
  /** Where the code of its gateway and of its workers is; the checked-out version by default. */
  gateways?: string;
  workers?: string;
  accepted: number[];
  counted: number[];
}

async function measure(bench: Bench): Promise<Measurement> {
  const [rounds, seconds] = bench.quick ? [1, 2] : [5, 10];
  const database = await answersDatabase(bench, bench.quick ? 10_000 : 1_000_000);
  const revision = await versionBeforeMigration(MIGRATION);
  if (revision === null) throw new NotMeasured('the history of the repository is missing');
  const [old, leftOut] = [await layOut(revision), await withoutModel()];
  const model: Variant = { accepted: [], counted: [] };
  const before: Variant = { gateways: old, workers: old, accepted: [], counted: [] };
  const none: Variant = { workers: leftOut, accepted: [], counted: [] };
  const environment = { LOG_LEVEL: 'info' };
  try {
    const round = async (variant: Variant) => {
      const gateway = await startGateway(bench, database.url, environment, variant.gateways);
      try {
        await answerAndCount(variant, gateway.url);
      } finally {
        await gateway.stop();
      }
      return 0;
    };
    const start = (variant: Variant) =>
      startWorkers(bench, database.url, environment, variant.workers);
    const answerAndCount = async (variant: Variant, url: string) => {
      const answer = overHttp(bench, database, [url]);
      await answer({ seconds: bench.quick ? 1 : 2 });
      await database.clearOutbox();
      let workers = await start(variant);
      try {
        const since = await nowAt(database.url);
        variant.accepted.push((await answer({ seconds })).perSecond);
        await untilDrained(database.url, since);
      } finally {
        await workers.stop();
      }
      const { answers } = await answer({ seconds });
      const since = await nowAt(database.url);
      workers = await start(variant);
      try {
        const drained = await untilDrained(database.url, since);
        if (drained.events !== answers) {
          throw new Error(`${answers} answers were sent, ${drained.events} counted.`);
        }
        variant.counted.push(drained.events / drained.seconds);
      } finally {
        await workers.stop();
      }
    };
    await interleaved(
      rounds,
      [model, before, none].map((variant) => () => round(variant)),
    );
  } finally {
    for (const directory of [old, leftOut]) await rm(directory, { recursive: true });
  }
  const figures = (['accepted', 'counted'] as const).map((name) => {
    const [value, limit, without] = [model, before, none].map((variant) => median(variant[name]));
    return { name, value: value!, limit: limit!, without: without!, ratio: value! / limit! };
  });
  const worse = figures.toSorted((a, b) => a.ratio - b.ratio)[0]!;
  return {
    value: worse.value,
    limit: worse.limit,
    notes: [
      `the version before is ${revision}, on the same tables; the median of ${rounds} rounds, alternating; one gateway, one worker process, PostgreSQL as the queue`,
      `accepted: ${seconds} s at the maximum rate, while the workers count what comes`,
      `counted: a backlog of ${seconds} s, then the workers until all of it is counted, as in P6`,
    ],
    table: [
      ['', 'with the model', 'version before', 'ratio', 'model left out', 'ratio'],
      ...figures.map(({ name, value, limit, ratio, without }) => [
        `${name}, per second`,
        value.toFixed(0),
        limit.toFixed(0),
        ratio.toFixed(2),
        without.toFixed(0),
        (value / without).toFixed(2),
      ]),
    ],
  };
}

const CALL = 'recordAnswers(tx, answers, () => countAnswers(tx, answers))';
const ONLY_COUNTED = 'countAnswers(tx, answers)';

/** The committed version with workers that count answers and write no model. */
async function withoutModel(): Promise<string> {
  const directory = await layOut('HEAD');
  const file = join(directory, 'workers/statistics.ts');
  const source = await readFile(file, 'utf8');
  if (!source.includes(CALL))
    throw new Error('workers/statistics.ts calls recordAnswers elsewhere');
  await writeFile(file, source.replace(CALL, ONLY_COUNTED));
  return directory;
}
