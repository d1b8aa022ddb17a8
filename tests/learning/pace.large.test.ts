import { beforeAll, describe, expect, test } from 'vitest';
import { changePlan } from '@proveklar/services/learning/plan.ts';
import { readLearning } from '@proveklar/services/learning/read-learning.ts';
import { refit } from '@proveklar/services/learning/refit.ts';
import { recordFigures } from '../support/figures.ts';
import { testSeed } from '../support/settings.ts';
import { forEachConcurrently, type Participant, timeOfSet, withSimulation } from './simulation.ts';

/**
 * Simulated learners with an exam date practise each day as much as their plan suggests, until the day before the
 * exam. The suggestion aims at a probability of 80 %.
 */
const LEARNERS = Number(process.env.LEARNERS ?? 40);
const SEED = testSeed('these plans');
const DAYS = [7, 14, 28];
const SET = 10;
const TIMEOUT_MS = 2 * 3_600_000;

const simulation = withSimulation(SEED);

interface Planning extends Participant {
  /** Until the exam. */
  days: number;
  answers: number;
  /** Whether the plan named an amount on the first day. */
  isPossible: boolean;
}

const learners: Planning[] = [];
const results: { days: number; truth: number; answers: number }[] = [];

async function practise(one: Planning): Promise<void> {
  const { suggested_goal: goal } = await readLearning(simulation.db, one.id, 'no');
  if (simulation.today === 0) one.isPossible = goal !== null;
  let left = goal ?? 0;
  for (let set = 0; left > 0; set += 1) {
    const answered = await simulation.practise(one, 'today', set, Math.min(SET, left));
    if (answered === 0) return;
    one.answers += answered;
    left -= answered;
  }
}

describe(`${LEARNERS} learners with an exam date (TEST_SEED=${SEED})`, () => {
  beforeAll(async () => {
    for (let index = 0; index < LEARNERS; index += 1) {
      const days = DAYS[index % DAYS.length]!;
      const learner = await simulation.addLearner(`plan ${index}`, days);
      await changePlan(simulation.db, learner.id, { exam_date: await simulation.dayAfter(days) });
      learners.push({ ...learner, days, answers: 0, isPossible: false });
    }
    for (let day = 0; day <= Math.max(...DAYS); day += 1) {
      for (const one of learners.filter(({ days, isPossible }) => days === day && isPossible)) {
        const truth = simulation.passes(one, timeOfSet(day, 0));
        results.push({ days: one.days, truth, answers: one.answers });
      }
      await forEachConcurrently(
        learners.filter(({ days }) => day < days),
        practise,
      );
      await refit(simulation.db);
      await simulation.oneDayLater();
    }
  }, TIMEOUT_MS);

  test('who practises as much as suggested passes about as often as the plan aims at', () => {
    console.table(
      [...Map.groupBy(results, ({ days }) => days)].map(([days, group]) => ({
        days,
        learners: group.length,
        passes: average(group.map(({ truth }) => truth)).toFixed(3),
        answersADay: (average(group.map(({ answers }) => answers)) / days).toFixed(1),
      })),
    );
    expect(results.length).toBeGreaterThan(LEARNERS / 2);
    const passes = average(results.map(({ truth }) => truth));
    recordFigures({ learners: results.length, 'would pass': passes.toFixed(3) });
    expect(passes).toBeGreaterThan(0.72);
    expect(passes).toBeLessThan(0.95);
  });
});

const average = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
