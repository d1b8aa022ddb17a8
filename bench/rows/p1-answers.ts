import { bySqlAlone, overHttp } from '#support/answer-rates.ts';
import { answersDatabase } from '#support/answers-database.ts';
import { interleaved, median, percentile } from '#support/figures.ts';
import { CONNECTIONS } from '#support/given-answers.ts';
import { requirePgbench } from '#support/pgbench.ts';
import { startProduct } from '#support/product.ts';
import type { Bench, Measurement, Row } from '#row.ts';

export const row: Row = {
  id: 'P1',
  title: 'Answers per second',
  sides: {
    value: 'through the gateway: token verified, answer and its event committed',
    limit: 'pgbench -M prepared, the same statement',
  },
  unit: 'per second',
  target: { at: 'least', ratio: 1 },
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  requirePgbench();
  const history = bench.quick ? 10_000 : 1_000_000;
  const [rounds, seconds] = bench.quick ? [1, 2] : [7, 10];
  const database = await answersDatabase(bench, history);
  const product = await startProduct(bench, database.url, {
    workers: false,
    environment: { LOG_LEVEL: 'info' },
  });
  try {
    const latencies: number[] = [];
    const ours = overHttp(bench, database, [product.url]);
    const theirs = bySqlAlone(bench, database);
    const sides = [
      async (length: number) => {
        const answered = await ours({ seconds: length });
        latencies.push(percentile(99, answered.latencies));
        return answered.perSecond;
      },
      async (length: number) => (await theirs({ seconds: length })).perSecond,
    ];
    // Warm-up: V8 optimizes code after it has run for a while.
    for (const side of sides) await side(bench.quick ? 2 : 5);
    const [value = [], limit = []] = await interleaved(
      rounds,
      sides.map((side) => () => side(seconds)),
    );
    return {
      value: median(value),
      limit: median(limit),
      notes: [
        `${CONNECTIONS} connections, 1,000 learners with a token each, ${history.toLocaleString('en')} earlier answers in the table; the median of ${rounds} rounds of ${seconds} s alternating, after a warm-up round`,
        `at that rate, with every connection in use, the p99 of an answer is ${median(latencies.slice(1)).toFixed(0)} ms`,
        'gateway, its load, PostgreSQL and pgbench share the CPUs; the gateway logs as in production; the workers are off, on both sides',
        'every counted answer was found in the table',
      ],
      table: [
        ['round', 'gateway, per second', 'pgbench, per second', 'ratio'],
        ...value.map((ours, index) => [
          String(index + 1),
          ours.toFixed(0),
          limit[index]!.toFixed(0),
          (ours / limit[index]!).toFixed(2),
        ]),
      ],
    };
  } finally {
    await product.stop();
    await database.clearOutbox();
  }
}
