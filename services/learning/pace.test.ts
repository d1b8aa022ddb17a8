import { expect, test } from 'vitest';
import { DEFAULT_POPULATION, estimateAbility } from './ability.ts';
import { paceOf } from './pace.ts';
import { DEFAULT_RECALL, type ReadinessInput, type SeenQuestion } from './readiness.ts';

const TOPICS = ['Historie', 'Geografi', 'Arbeidsliv', 'Utdanning', 'Helse'];
const PER_TOPIC = 60;

/** The amount a day for a learner with a number of answers in each topic, of which a share was right. */
function pace(days: number, { answers = 0, right = 0.5 } = {}): number | null {
  const seen = TOPICS.flatMap((topic) =>
    Array.from({ length: answers }, (_, index): SeenQuestion => {
      const isRight = index < right * answers;
      return {
        topic,
        difficulty: 0,
        firstCorrect: isRight,
        guess: 0.25,
        lastCorrect: isRight,
        timesShown: 1,
        timesRight: Number(isRight),
        stability: isRight ? 2.3 : 0.2,
        elapsedDays: 1,
      };
    }),
  );
  const ability = estimateAbility(
    seen.map(({ topic, difficulty, firstCorrect, guess }) => ({
      topic,
      difficulty,
      correct: firstCorrect,
      guess,
    })),
    DEFAULT_POPULATION,
  );
  const input: ReadinessInput = {
    topics: TOPICS.map((topic) => ({
      topic,
      weight: 1,
      unseen: PER_TOPIC - answers,
      difficulty: 0,
      difficultyVariance: 0.5,
    })),
    seen,
    exam: { counted: 34, passMark: 26, options: 3 },
    recall: DEFAULT_RECALL,
  };
  return paceOf(ability, input, days);
}

test('a new learner is told an amount too, less a day the further away the exam is', () => {
  const paces = [7, 14, 30].map((days) => pace(days)!);
  expect(paces[0]).toBeGreaterThan(paces[1]!);
  expect(paces[1]).toBeGreaterThanOrEqual(paces[2]!);
  for (const each of paces) expect(each % 5).toBe(0);
});

test('a learner who knows more needs less', () => {
  const [weak, able] = [0.4, 0.8].map((right) => pace(14, { answers: 10, right })!);
  expect(able).toBeLessThan(weak!);
});

test('a learner who would pass needs the least there is', () => {
  expect(pace(7, { answers: 40, right: 1 })).toBe(5);
});

test('says nothing when a hundred a day are too few', () => {
  expect(pace(1, { answers: 20, right: 0.2 })).toBeNull();
});
