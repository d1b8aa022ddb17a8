import { bySqlAlone, overHttp } from '#support/answer-rates.ts';
import { answersDatabase } from '#support/answers-database.ts';
import { interleaved, median, percentile } from '#support/figures.ts';
import { CONNECTIONS } from '#support/given-answers.ts';
import { requirePgbench } from '#support/pgbench.ts';
import { startProduct } from '#support/product.ts';
import type { Bench, Measurement, Row } from '#row.ts';

export const row: Row = {
  id: 'P2',
  title: 'Latency of an answer at half the maximum rate',
  sides: {
    value: 'p99 through the gateway',
    limit: 'p99 of the same statement by pgbench, at the same rate',
  },
  unit: 'ms',
  target: { at: 'most', ratio: 1 },
  measure,
};

const PERCENTS = [50, 95, 99];
/** The highest ratio of each; that of p99 is the row's own. */
const TARGETS = [2, 2, row.target.ratio];

async function measure(bench: Bench): Promise<Measurement> {
  requirePgbench();
  const history = bench.quick ? 10_000 : 1_000_000;
  const [rounds, seconds] = bench.quick ? [1, 2] : [5, 15];
  const database = await answersDatabase(bench, history);
  const product = await startProduct(bench, database.url, {
    workers: false,
    environment: { LOG_LEVEL: 'info' },
  });
  try {
    const sides = [overHttp(bench, database, [product.url]), bySqlAlone(bench, database)];
    const most = await mostPerSecond(bench, sides[0]!);
    const rate = Math.round(most / 2);
    // The percentiles in milliseconds, of each side and round.
    const figures = sides.map((): number[][] => []);
    await interleaved(
      rounds,
      sides.map((side, index) => async () => {
        const { latencies } = await side({ seconds, rate });
        figures[index]!.push(PERCENTS.map((percent) => percentile(percent, latencies)));
        return 0;
      }),
    );
    const at = (index: number) =>
      figures.map((ofSide) => median(ofSide.map((ofRound) => ofRound[index]!)));
    const [value = Number.NaN, limit = Number.NaN] = at(PERCENTS.indexOf(99));
    return {
      value,
      limit,
      met: PERCENTS.every((_, index) => {
        const [ours = Number.NaN, theirs = Number.NaN] = at(index);
        return ours <= TARGETS[index]! * theirs;
      }),
      notes: [
        `${rate} answers per second at random moments (Poisson), half of the ${most.toFixed(0)} that the gateway reached just before; ${CONNECTIONS} connections`,
        `from the time at which an answer was due, on both sides; the median of ${rounds} rounds of ${seconds} s, alternating`,
        'gateway, its load, PostgreSQL and pgbench share the CPUs; the workers are off, on both sides',
      ],
      table: [
        ['percentile', 'gateway, ms', 'pgbench, ms', 'ratio', 'target'],
        ...PERCENTS.map((percent, index) => {
          const [ours = Number.NaN, theirs = Number.NaN] = at(index);
          const ratio = (ours / theirs).toFixed(2);
          return [
            `${percent} %`,
            ours.toFixed(2),
            theirs.toFixed(2),
            ratio,
            `≤ ${TARGETS[index]!}`,
          ];
        }),
      ],
    };
  } finally {
    await product.stop();
    await database.clearOutbox();
  }
}

type Side = ReturnType<typeof overHttp>;

async function mostPerSecond(bench: Bench, side: Side): Promise<number> {
  await side({ seconds: bench.quick ? 1 : 5 });
  const rates: number[] = [];
  for (let round = 0; round < (bench.quick ? 1 : 3); round += 1) {
    rates.push((await side({ seconds: bench.quick ? 1 : 5 })).perSecond);
  }
  return median(rates);
}
