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

/** The pairs of which one excludes the other. */
const conflictsIn = (test: readonly Candidate[]) =>
  test.flatMap(({ id, excludes = [] }) =>
    test.filter(({ group }) => excludes.includes(group!)).map((other) => [id, other.id]),
  );

describe('tests from a bank where questions exclude each other', () => {
  /** Each question excludes the next, of another topic; the next one does not name it. */
  const chainOf = (count: number, topics: number): Candidate[] =>
    Array.from({ length: count }, (_, id) => ({
      id,
      topic: `Tema ${id % topics}`,
      difficulty: (id % 5) - 2,
      group: `g-${id}`,
      excludes: [`g-${id + 1}`],
    }));

  test('have no two that exclude each other, and are still whole and about equally hard', () => {
    const random = randomFor(5, 'tests');
    const bank = chainOf(400, 8);
    const seen = new Set<number>();
    const difficulties: number[][] = [[], []];
    for (let n = 0; n < 300; n += 1) {
      for (const [place, candidates] of [
        bank,
        bank.map((question) => ({ ...question, difficulty: 0 })),
      ].entries()) {
        const drawn = balancedTest(candidates, SIZE, random.next);
        const questions = drawn.map(({ id }) => bank[id]!);
        expect(conflictsIn(questions)).toEqual([]);
        expect(new Set(drawn.map(({ id }) => id)).size).toBe(SIZE.count);
        const counted = drawn.filter((question) => question.counted);
        expect(counted).toHaveLength(SIZE.counted);
        difficulties[place]!.push(mean(counted.map(({ id }) => bank[id]!.difficulty)));
        for (const { id } of drawn) seen.add(id);
      }
    }
    expect(deviation(difficulties[0]!)).toBeLessThan(deviation(difficulties[1]!) / 2);
    expect(seen.size).toBe(bank.length);
  });

  test('take more of the other topics where all questions of one exclude each other', () => {
    const small = Array.from({ length: 10 }, (_, id) => ({
      id,
      topic: 'Small',
      difficulty: 0,
      group: `small-${id}`,
      excludes: Array.from({ length: 10 }, (_other, other) => `small-${other}`).filter(
        (other) => other !== `small-${id}`,
      ),
    }));
    const large = Array.from({ length: 37 }, (_, id) => ({
      id: 100 + id,
      topic: 'Large',
      difficulty: 0,
    }));
    const drawn = balancedTest([...small, ...large], SIZE, randomFor(6, 'tests').next);
    expect(drawn).toHaveLength(SIZE.count);
    expect(drawn.filter(({ topic }) => topic === 'Small')).toHaveLength(1);
  });

  test('find a whole test where a random choice often misses it', () => {
    // One question excludes all others but its own topic: a test with it cannot be whole.
    const others = Array.from({ length: 40 }, (_, id) => ({
      id,
      topic: 'Others',
      difficulty: 0,
      group: `g-${id}`,
    }));
    const jealous = {
      id: 100,
      topic: 'Alone',
      difficulty: 0,
      excludes: others.map(({ group }) => group),
    };
    for (let seed = 0; seed < 20; seed += 1) {
      const drawn = balancedTest([...others, jealous], SIZE, randomFor(seed, 'tests').next);
      expect(drawn).toHaveLength(SIZE.count);
      expect(drawn.map(({ id }) => id)).not.toContain(100);
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

describe('draws from a bank where questions exclude each other', () => {
  const database = useTestDatabase();

  // Of each pair only one names the other: "pair 7a" excludes "pair 7b".
  beforeAll(async () => {
    await createQuestions(database.pool, { topic: 'Historie', count: 76 });
    await database.pool.query(
      `update question set translation_group = 'pair ' || numbered.n / 2 || (array['a', 'b'])[numbered.n % 2 + 1],
         excludes = case when numbered.n % 2 = 0 then array['pair ' || numbered.n / 2 || 'b'] else '{}' end
       from (select id, (row_number() over (order by id) - 1)::int as n from question) numbered
       where question.id = numbered.id`,
    );
  });

  async function pairsOf(drawn: readonly { id: number }[]): Promise<number> {
    const { rows } = await database.pool.query<{ pairs: number }>(
      `select count(*)::int as pairs from question one join question other
         on other.translation_group = any (one.excludes)
       where one.id = any ($1::bigint[]) and other.id = any ($1::bigint[])`,
      [drawn.map(({ id }) => id)],
    );
    return rows[0]!.pairs;
  }

  test('a practice test has both of no pair, also when it takes one of every pair', async () => {
    for (let n = 0; n < 20; n += 1) {
      const drawn = await drawTest(database.pool, { language: 'no', ...SIZE });
      expect(drawn).toHaveLength(38);
      expect(await pairsOf(drawn)).toBe(0);
    }
  });

  test.each(['Historie', null])(
    'a drill of %s has both of a pair only when there are too few others',
    async (topic) => {
      for (let n = 0; n < 20; n += 1) {
        const drawn = await drawQuestions(database.pool, { language: 'no', topic, count: 20 });
        expect(drawn).toHaveLength(20);
        expect(await pairsOf(drawn)).toBe(0);
      }
      const all = await drawQuestions(database.pool, { language: 'no', topic, count: 50 });
      expect(all).toHaveLength(50);
      expect(await pairsOf(all)).toBe(12);
    },
  );
});
