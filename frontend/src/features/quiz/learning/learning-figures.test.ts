import type { LearningResponse } from '@proveklar/contract/learning.ts';
import { expect, test } from 'vitest';
import {
  chanceChange,
  chancePercent,
  dailyGoals,
  daysUntil,
  isApplied,
  isToday,
  offersNextSet,
  todaysState,
} from './learning-figures.ts';

type Figures = Pick<LearningResponse, 'today' | 'topics' | 'readiness'>;
const READINESS = { probability: 0.5, low: 0.1, high: 0.9, answers: 60 };
type Given = {
  due?: number;
  unsure?: number;
  known?: number;
  unseen?: number;
  done?: number;
  answers?: number;
};

function figures({
  due = 0,
  unsure = due,
  known = 0,
  unseen = 0,
  done = 0,
  answers,
}: Given): Figures {
  const total = unsure + known + unseen;
  return {
    today: { goal: 10, done, due, wrong_today: 0, new: unseen },
    topics: [{ topic: 'Historie', total, known, unsure, unseen }],
    readiness:
      answers === undefined ? null : { probability: answers / 100, low: 0.1, high: 0.9, answers },
  };
}

test('the state of the day follows from what is due and what is new', () => {
  expect(todaysState({ ...figures({}), topics: [] })).toBe('empty');
  expect(todaysState(figures({ known: 7 }))).toBe('finished');
  expect(todaysState(figures({ known: 7, unseen: 1 }))).toBe('new');
  expect(todaysState(figures({ due: 1, unseen: 1 }))).toBe('repeat');
  expect(todaysState(figures({ known: 7, unsure: 2 }))).toBe('new');
});

test('a next set is offered while something is due, or new until the goal', () => {
  expect(offersNextSet(figures({ due: 1, done: 10 }))).toBe(true);
  expect(offersNextSet(figures({ unseen: 1, done: 9 }))).toBe(true);
  expect(offersNextSet(figures({ unseen: 1, done: 10 }))).toBe(false);
  expect(offersNextSet(figures({ known: 1, done: 1 }))).toBe(false);
});

test('a chance is shown in whole percent, and never as certain', () => {
  expect([0, 0.624, 0.626, 1].map(chancePercent)).toEqual([1, 62, 63, 99]);
});

test('a set is applied as soon as a topic or the number of answers changes', () => {
  const before = figures({ due: 2, known: 1, answers: 40 });
  expect(isApplied(before, figures({ due: 2, known: 1, answers: 40 }))).toBe(false);
  expect(isApplied(before, figures({ due: 1, known: 2, answers: 40 }))).toBe(true);
  expect(isApplied(before, figures({ due: 2, known: 1, answers: 42 }))).toBe(true);
  expect(isApplied(undefined, before)).toBe(false);
});

test('the chance is shown with the one before, once the quiz is part of it', () => {
  const before = figures({ answers: 50 });
  expect(chanceChange(before, figures({ answers: 60 }), 'no')).toEqual({
    before: expect.stringMatching(/^50\s%$/),
    now: expect.stringMatching(/^60\s%$/),
    change: 'higher',
  });
  const changeTo = (now: Figures) => chanceChange(before, now, 'no')?.change;
  expect(
    changeTo({ ...figures({ answers: 60 }), readiness: { ...READINESS, probability: 0.4 } }),
  ).toBe('lower');
  expect(
    changeTo({ ...figures({ answers: 60 }), readiness: { ...READINESS, probability: 0.504 } }),
  ).toBe('same');
  expect(chanceChange(figures({}), before, 'no')?.change).toBe('first');
  expect(chanceChange(before, before, 'no')).toBeUndefined();
  expect(chanceChange(undefined, before, 'no')).toBeUndefined();
  expect(chanceChange(before, figures({}), 'no')).toBeUndefined();
});

test('the daily goals include one that was chosen elsewhere', () => {
  expect(dailyGoals(20)).toEqual([5, 10, 20, 30, 50]);
  expect(dailyGoals(15)).toEqual([5, 10, 15, 20, 30, 50]);
});

test.each([
  ['2026-12-12', '2026-11-23T22:59:00Z', 19],
  // Already the next day in Oslo.
  ['2026-12-12', '2026-11-23T23:01:00Z', 18],
  ['2026-12-12', '2026-12-12T08:00:00Z', 0],
  ['2026-12-12', '2026-12-12T23:30:00Z', -1],
  // The clock is put forward in between.
  ['2027-04-01', '2027-03-20T12:00:00Z', 12],
])('until %s there are, at %s, %i days in Norway', (day, now, days) => {
  expect(daysUntil(day, new Date(now))).toBe(days);
});

test('a day begins at midnight in Norway', () => {
  const now = new Date('2026-11-23T22:30:00Z');
  expect(isToday('2026-11-22T23:10:00Z', now)).toBe(true);
  expect(isToday('2026-11-22T22:50:00Z', now)).toBe(false);
});
