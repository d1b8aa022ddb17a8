import { withClient } from '@proveklar/local/postgres/cluster.ts';
import { AnswerProbe } from '#support/answer-probe.ts';
import { overHttp } from '#support/answer-rates.ts';
import { answersDatabase } from '#support/answers-database.ts';
import { nowAt, untilDrained } from '#support/drain.ts';
import { median, percentile, timed } from '#support/figures.ts';
import { UID_PREFIX } from '#support/given-answers.ts';
import { PaymentProbe, startStripe } from '#support/payment-probe.ts';
import { startProduct } from '#support/product.ts';
import type { Bench, Measurement, Row } from '#row.ts';

const IDLE_MS = 250;
const LOADED_MS = 1_000;

export const row: Row = {
  id: 'P8',
  title: 'From an event to the screen',
  sides: {
    value: 'p95 of the path with the worst ratio to its limit',
    limit: 'the limit of that path',
  },
  unit: 'ms',
  target: { at: 'most', ratio: 1 },
  measure,
};

interface Cell {
  way: string;
  when: string;
  figures: number[];
  limit: number;
}

async function measure(bench: Bench): Promise<Measurement> {
  const history = bench.quick ? 10_000 : 1_000_000;
  const [probes, seconds] = bench.quick ? [5, 4] : [100, 60];
  const database = await answersDatabase(bench, history);
  await withClient(database.url, (client) => client.query(PRICE));
  const stripe = await startStripe(bench);
  try {
    const product = await startProduct(bench, database.url, {
      workers: true,
      environment: {
        LOG_LEVEL: 'info',
        STRIPE_API_URL: stripe.url,
        INTENTS_PER_ADDRESS: '1000000',
        INTENTS_PER_EMAIL: '1000000',
      },
    });
    try {
      const token = bench.identity.tokenFor(`${UID_PREFIX}0`, 'learner-0@example.no');
      const answers = new AnswerProbe(product.url, database, token);
      const payments = new PaymentProbe(bench, {
        url: product.url,
        databaseUrl: database.url,
        stripeUrl: stripe.url,
      });
      const ways = [
        { way: 'answer → its question counted', measure: () => answers.measure() },
        { way: "payment's webhook → message on the page", measure: () => payments.measure() },
      ];
      const cellsOf = (when: string, limit: number): Cell[] =>
        ways.map(({ way }) => ({ way, when, figures: [], limit }));
      const idle = cellsOf('idle', IDLE_MS);
      const loaded = cellsOf('at the most answers', LOADED_MS);
      const probe = async (cells: Cell[]) => {
        for (const [index, way] of ways.entries()) cells[index]!.figures.push(await way.measure());
      };
      await probe(cellsOf('warm', 0));
      for (let count = 0; count < probes; count += 1) await probe(idle);

      const answer = overHttp(bench, database, [product.url]);
      await answer({ seconds: bench.quick ? 1 : 5 });
      const since = await nowAt(database.url);
      const over = new AbortController();
      const probeUntilOver = async () => {
        while (!over.signal.aborted) await probe(loaded);
      };
      const [{ perSecond }] = await Promise.all([
        answer({ seconds }).finally(() => over.abort()),
        probeUntilOver(),
      ]);
      const behind = await timed(() => untilDrained(database.url, since));
      return summary([...idle, ...loaded], perSecond, behind);
    } finally {
      await product.stop();
    }
  } finally {
    await stripe.stop();
  }
}

const PRICE = 'update settings set price_ore = 14900, service_days = 30';

function summary(cells: Cell[], perSecond: number, behindMs: number): Measurement {
  const p95 = ({ figures }: Cell) => percentile(95, figures);
  const ratio = (cell: Cell) => p95(cell) / cell.limit;
  const worst = cells.reduce((one, other) => (ratio(other) > ratio(one) ? other : one));
  return {
    value: p95(worst),
    limit: worst.limit,
    notes: [
      `worst: ${worst.way}, ${worst.when}`,
      `one gateway, one worker process, PostgreSQL as the queue; under load: ${perSecond.toFixed(0)} answers per second, of which the last was counted ${(behindMs / 1000).toFixed(1)} s after the load had ended`,
      "an answer: from the start of its transaction, polled every 5 ms; a payment: from the sending of the webhook, including the read from the Stripe stand-in, until the event is on the payer's stream",
    ],
    table: [
      ['path', 'load', 'samples', 'p50, ms', 'p95, ms', 'limit, ms'],
      ...cells.map((cell) => [
        cell.way,
        cell.when,
        String(cell.figures.length),
        median(cell.figures).toFixed(0),
        p95(cell).toFixed(0),
        String(cell.limit),
      ]),
    ],
  };
}
