import { beforeAll, describe, expect, test } from 'vitest';
import { abilityOf, estimateAbility } from '@proveklar/services/learning/ability.ts';
import { fitLearners, type HistoryAnswer } from '@proveklar/services/learning/refit.ts';
import { randomFor } from '../support/random.ts';
import { simulatedBank, SimulatedLearner } from './simulated-learner.ts';

const LEARNERS = 500;
const DAYS = 10;
const A_DAY = 10;
const OPTIONS = 4;
const SEED = 4711;

describe(`a refit of ${LEARNERS * DAYS * A_DAY} answers whose truth is known`, () => {
  const bank = simulatedBank(randomFor(SEED, 'bank'), 8, 33);
  const center = average(bank.map(({ difficulty }) => difficulty));
  const learners = Array.from({ length: LEARNERS }, (_, index) => {
    const random = randomFor(SEED, `learner ${index}`);
    return { random, learner: new SimulatedLearner(random) };
  });
  let fit: Awaited<ReturnType<typeof fitLearners>>;
  let histories: HistoryAnswer[][];

  beforeAll(async () => {
    histories = learners.map(({ random, learner }) =>
      Array.from({ length: DAYS * A_DAY }, (_, index) => {
        const question = bank[random.below(bank.length)]!;
        const day = Math.floor(index / A_DAY);
        const time = day + index / 1000;
        const correct = learner.answersRight(question, time, OPTIONS);
        learner.study(question, time);
        const { id: questionId, topic } = question;
        return { questionId, topic, day, correct, shownMs: null, guess: 1 / OPTIONS };
      }),
    );
    fit = await fitLearners(histories);
  });

  test('finds how hard each question is', () => {
    const truth = bank.map(({ difficulty }) => difficulty - center);
    const found = bank.map(({ id }) => fit.difficulties.get(id)!.difficulty);
    expectAlike(truth, found);
    expectWithin(fit.population.difficultyVariance / variance(truth), 0.85, 1.15);
  });

  test('finds how able each learner is', () => {
    const truth = learners.map(({ learner }) => learner.ability - center);
    const found = histories.map((history) => {
      const met = new Set<number>();
      const first = history.filter(({ questionId }) => {
        const isFirst = !met.has(questionId);
        met.add(questionId);
        return isFirst;
      });
      const answers = first.map(({ questionId, ...answer }) => ({
        ...answer,
        difficulty: fit.difficulties.get(questionId)!.difficulty,
      }));
      return abilityOf(estimateAbility(answers, fit.population)).mean;
    });
    expectAlike(truth, found);
    expectWithin(fit.population.abilityMean - average(truth), -0.1, 0.1);
    expectWithin(fit.population.abilityVariance / variance(truth), 0.85, 1.15);
  });
});

/** Where found values differ by 1, so do the true ones; and neither lies higher than the other. */
function expectAlike(truth: readonly number[], found: readonly number[]) {
  const [trueMean, foundMean] = [average(truth), average(found)];
  const shared = average(
    truth.map((value, index) => (value - trueMean) * (found[index]! - foundMean)),
  );
  expect(shared / Math.sqrt(variance(truth) * variance(found))).toBeGreaterThan(0.9);
  expectWithin(shared / variance(found), 0.85, 1.15);
  expectWithin(foundMean - trueMean, -0.1, 0.1);
}

function expectWithin(value: number, low: number, high: number) {
  expect(value).toBeGreaterThan(low);
  expect(value).toBeLessThan(high);
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const mean = average(values);
  return average(values.map((value) => (value - mean) ** 2));
}
