import { interleaved, median, timed } from '#support/figures.ts';
import { bankOf } from '#support/bank.ts';
import { startProduct, type Product } from '#support/product.ts';
import type { Bench, Measurement, Row } from '#row.ts';
import { questionAt } from '#question-text.ts';

const QUIZZES = [
  { name: 'drill, one topic', body: { topic: questionAt(0).topic } },
  { name: 'drill, all topics', body: { topic: 'all' } },
  { name: 'drill, all topics, 50 questions', body: { topic: 'all', question_count: 50 } },
  { name: 'practice test', body: { topic: 'Praktisk prøve' } },
];
const WARM_UP = 20;

export const row: Row = {
  id: 'P3',
  title: 'Starting a quiz',
  sides: {
    value: 'with the large bank, the kind of quiz with the worst ratio',
    limit: 'with the small bank, the same kind',
  },
  unit: 'ms',
  target: { at: 'most', ratio: 1.1 },
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const sizes = { large: bench.quick ? 20_000 : 1_000_000, small: 1_000 };
  const rounds = bench.quick ? 10 : 300;
  const products: Product[] = [];
  const open = async (size: number) => {
    const product = await startProduct(bench, await bankOf(bench, size), { workers: false });
    products.push(product);
    return product;
  };
  const token = bench.identity.tokenOf('learner');
  try {
    const large = await open(sizes.large);
    const small = await open(sizes.small);
    await bench.scratch.checkpoint();
    const results = [];
    for (const { name, body } of QUIZZES) {
      const sides = [large, small].map(
        ({ url }) =>
          () =>
            timed(() => start(url, token, body)),
      );
      await interleaved(bench.quick ? 1 : WARM_UP, sides);
      const [ours = [], theirs = []] = await interleaved(rounds, sides);
      results.push({ name, value: median(ours), limit: median(theirs) });
    }
    const ratio = ({ value, limit }: { value: number; limit: number }) => value / limit;
    const worst = results.reduce((one, other) => (ratio(other) > ratio(one) ? other : one));
    return {
      value: worst.value,
      limit: worst.limit,
      notes: [
        `${sizes.large.toLocaleString('en')} questions against ${sizes.small.toLocaleString('en')}, half of them validated; worst: ${worst.name}`,
        `POST /api/v1/quiz/start through a separate gateway for each bank, alternating, median of ${rounds}`,
      ],
      table: [
        ['quiz', 'large, ms', 'small, ms', 'ratio'],
        ...results.map((result) => [
          result.name,
          result.value.toFixed(2),
          result.limit.toFixed(2),
          ratio(result).toFixed(2),
        ]),
      ],
    };
  } finally {
    for (const product of products) await product.stop();
  }
}

async function start(url: string, token: string, body: object): Promise<void> {
  const response = await fetch(`${url}/api/v1/quiz/start`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`A quiz was not started: ${response.status} ${text}`);
}
