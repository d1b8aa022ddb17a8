import { beforeAll, describe, expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { createQuestions } from '@proveklar/tests/support/factories.ts';
import { randomFor, type Random } from '@proveklar/tests/support/random.ts';
import {
  balancedTest,
  type Candidate,
  drawQuestions,
  drawTest,
  shuffled,
} from './draw-questions.ts';

/** The social studies test: 38 questions, of which 34 count. */
const SIZE = { count: 38, counted: 34 };

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
function deviation(values: readonly number[]): number {
  const center = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - center) ** 2)));
}

describe('tests from a simulated bank', () => {
  const TOPICS = 8;
  const PER_TOPIC = 100;
  const TESTS = 1_000;
  /** Of difficulties, in logits: as refits of simulated learners find it. */
  const SPREAD = 0.84;

  /** Box-Muller. */
  const normal = ({ next }: Random) =>
    Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());

  const bankOf = (random: Random): Candidate[] =>
    Array.from({ length: TOPICS * PER_TOPIC }, (_, id) => ({
      id,
      topic: `Tema ${id % TOPICS}`,
      difficulty: SPREAD * normal(random),
    }));

  /** As the database draws them: as many of each topic as the test has questions. */
  const candidatesOf = (bank: readonly Candidate[], random: Random) =>
    [...Map.groupBy(bank, ({ topic }) => topic).values()].flatMap((questions) =>
      shuffled(questions, random.next).slice(0, SIZE.count),
    );

  const difficultyOf = (bank: readonly Candidate[], drawn: ReturnType<typeof balancedTest>) =>
    mean(drawn.filter(({ counted }) => counted).map(({ id }) => bank[id]!.difficulty));

  test.each([1, 2, 3])(
    'are less than half as different in difficulty as random ones (seed %i)',
    (seed) => {
      const random = randomFor(seed, 'tests');
      const bank = bankOf(randomFor(seed, 'bank'));
      const difficulties = (balanced: boolean) =>
        Array.from({ length: TESTS }, () => {
          const candidates = candidatesOf(bank, random).map((candidate) => ({
            ...candidate,
            ...(!balanced && { difficulty: 0 }),
          }));
          return difficultyOf(bank, balancedTest(candidates, SIZE, random.next));
        });
      const [random_, balanced] = [difficulties(false), difficulties(true)];
      expect(deviation(balanced)).toBeLessThan(deviation(random_) / 2);
      // No harder and no easier on average.
      expect(Math.abs(mean(balanced) - mean(random_))).toBeLessThan(0.02);
    },
  );

  test('show every question, the hardest and the easiest about as often as the others', () => {
    const random = randomFor(4, 'tests');
    const bank = bankOf(randomFor(4, 'bank'));
    const times = new Map<number, number>(bank.map(({ id }) => [id, 0]));
    for (let n = 0; n < TESTS; n += 1) {
      for (const { id } of balancedTest(candidatesOf(bank, random), SIZE, random.next)) {
        times.set(id, times.get(id)! + 1);
      }
    }
    const usual = (TESTS * SIZE.count) / bank.length;
    for (const [id, count] of times) {
      expect(count, String(bank[id]!.difficulty)).toBeGreaterThan(usual * 0.4);
    }
  });
});

describe('the tests of a bank', () => {
  const database = useTestDatabase();
  const TOPICS = ['Arbeidsliv', 'Geografi', 'Historie', 'Utdanning'];

  beforeAll(async () => {
    for (const topic of TOPICS) await createQuestions(database.pool, { topic, count: 60 });
    // A third is not measured, and counts as average.
    await database.pool.query(
      `insert into question_difficulty (question_id, difficulty, answers)
       select id, case id % 3 when 1 then 1.5 else -1.5 end, 50 from question where id % 3 > 0`,
    );
  });

  const draw = () => drawTest(database.pool, { language: 'no', ...SIZE });

  async function difficultyOf(ids: readonly number[]): Promise<number> {
    const { rows } = await database.pool.query<{ mean: number }>(
      `select coalesce(sum(difficulty), 0)::float8 / $2 as mean from question_difficulty
       where question_id = any ($1::bigint[])`,
      [ids, ids.length],
    );
    return rows[0]!.mean;
  }

  test('have as many questions as asked for, spread over the topics, and some that do not count', async () => {
    const drawn = await draw();
    expect(new Set(drawn.map(({ id }) => id)).size).toBe(38);
    expect(drawn.filter(({ counted }) => counted)).toHaveLength(34);
    const byTopic = Map.groupBy(drawn, ({ topic }) => topic);
    const sizes = [...byTopic.values()].map(({ length }) => length);
    expect(sizes.toSorted((a, b) => a - b)).toEqual([9, 9, 10, 10]);
  });

  test('are about equally hard, and show every question', async () => {
    const [balanced, random]: number[][] = [[], []];
    const seen = new Set<number>();
    for (let n = 0; n < 100; n += 1) {
      const drawn = await draw();
      for (const { id } of drawn) seen.add(id);
      const counted = drawn.filter((question) => question.counted).map(({ id }) => id);
      balanced!.push(await difficultyOf(counted));
      const unbalanced = await drawQuestions(database.pool, {
        language: 'no',
        topic: null,
        count: 34,
      });
      random!.push(await difficultyOf(unbalanced.map(({ id }) => id)));
    }
    expect(deviation(balanced!)).toBeLessThan(deviation(random!) * 0.7);
    expect(seen.size).toBe(240);
  });

  test('are as large as the bank where it has too few questions', async () => {
    await createQuestions(database.pool, { language: 'en', topic: 'History', count: 5 });
    const drawn = await drawTest(database.pool, { language: 'en', ...SIZE });
    expect(drawn).toHaveLength(5);
  });
});
