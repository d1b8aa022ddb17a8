import { expect, test } from 'vitest';
import type { HistoryItem } from '../api.ts';
import { recentResults, trendOf } from './recent-results.ts';

const run = (correct_answers: number, change: Partial<HistoryItem> = {}): HistoryItem => ({
  id: `${correct_answers}`,
  topic: 'Historie',
  completed_at: '2026-01-16T17:05:00.000Z',
  correct_answers,
  total_questions: 10,
  time_spent: 60,
  passed: null,
  pass_mark: null,
  regraded_at: null,
  ...change,
});
const runs = (...scores: number[]) => scores.map((score) => run(score));

test('the last twenty runs, the newest last', () => {
  const history = Array.from({ length: 60 }, (_, index) => run(index % 11, { id: `${index}` }));
  expect(recentResults(history).map(({ id }) => Number(id))).toEqual(
    Array.from({ length: 20 }, (_, index) => 19 - index),
  );
});

test('a practice test has its pass line', () => {
  const test = run(31, { total_questions: 34, pass_mark: 26, passed: true });
  expect(recentResults([test])).toMatchObject([{ percent: 91, passPercent: 76, passed: true }]);
  expect(recentResults(runs(3))).toMatchObject([{ percent: 30, passPercent: null }]);
});

test('sums up by question, and compares with as many before', () => {
  expect(trendOf([...runs(9), run(0, { total_questions: 30 })])).toEqual({
    runs: 2,
    now: 9 / 40,
    before: null,
  });
  expect(trendOf(runs(8, 8, 8, 8, 8, 5, 5, 5, 5))).toEqual({ runs: 5, now: 0.8, before: null });
  expect(trendOf(runs(8, 8, 8, 8, 8, 5, 5, 5, 5, 5, 1))).toEqual({
    runs: 5,
    now: 0.8,
    before: 0.5,
  });
  expect(trendOf([])).toEqual({ runs: 0, now: 0, before: null });
});
