import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { layOut } from '@proveklar/local/version-before.ts';
import { overHttp } from '#support/answer-rates.ts';
import { answersDatabase } from '#support/answers-database.ts';
import { nowAt, untilDrained } from '#support/drain.ts';
import { interleaved, median } from '#support/figures.ts';
import { startGateway, startWorkers } from '#support/product.ts';
import type { Bench, Measurement, Row } from '#row.ts';

export const row: Row = {
  id: 'P15',
  title: "Answers while the learner's model is written",
  sides: {
    value:
      'per second: accepted while a worker process counts, or counted from a backlog; the worse',
    limit: 'the same with workers that leave the model out',
  },
  unit: 'per second',
  target: { at: 'least', ratio: 0.9 },
  measure,
};

/** A version of the workers. */
interface Variant {
  /** Where its code is; the checked-out version by default. */
  directory?: string;
  accepted: number[];
  counted: number[];
}

async function measure(bench: Bench): Promise<Measurement> {
  const [rounds, seconds] = bench.quick ? [1, 2] : [5, 10];
  const database = await answersDatabase(bench, bench.quick ? 10_000 : 1_000_000);
  const directory = await withoutModel();
  const gateway = await startGateway(bench, database.url, { LOG_LEVEL: 'info' });
  const model: Variant = { accepted: [], counted: [] };
  const none: Variant = { directory, accepted: [], counted: [] };
  try {
    const answer = overHttp(bench, database, [gateway.url]);
    const start = (variant: Variant) =>
      startWorkers(bench, database.url, { LOG_LEVEL: 'info' }, variant.directory);
    const round = async (variant: Variant) => {
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
      return 0;
    };
    await answer({ seconds: bench.quick ? 1 : 5 });
    await interleaved(
      rounds,
      [model, none].map((variant) => () => round(variant)),
    );
  } finally {
    await gateway.stop();
    await rm(directory, { recursive: true });
  }
  const figures = (['accepted', 'counted'] as const).map((name) => {
    const [value, limit] = [median(model[name]), median(none[name])];
    return { name, value, limit, ratio: value / limit };
  });
  const worse = figures.toSorted((a, b) => a.ratio - b.ratio)[0]!;
  return {
    value: worse.value,
    limit: worse.limit,
    notes: [
      `the median of ${rounds} rounds, alternating; one gateway, one worker process, PostgreSQL as the queue`,
      `accepted: ${seconds} s at the maximum rate, while the workers count what comes`,
      `counted: a backlog of ${seconds} s, then the workers until all of it is counted, as in P6`,
    ],
    table: [
      ['', 'with the model', 'without', 'ratio'],
      ...figures.map(({ name, value, limit, ratio }) => [
        `${name}, per second`,
        value.toFixed(0),
        limit.toFixed(0),
        ratio.toFixed(2),
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
