import { expect, test } from 'vitest';
import type { HistoryItem } from './api.ts';
import {
  byStrength,
  mistakesByTopic,
  mistakesOf,
  percentage,
  recentResults,
  topicName,
  trendOf,
  withUnmet,
} from './progress-figures.ts';
import { drillOf } from './drill-choices.ts';

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

test('shows the last twenty results, the newest last', () => {
  const history = Array.from({ length: 60 }, (_, index) => run(index % 11, { id: `${index}` }));
  expect(recentResults(history).map(({ id }) => Number(id))).toEqual(
    Array.from({ length: 20 }, (_, index) => 19 - index),
  );
});

test('shows the pass mark of a practice test', () => {
  const test = run(31, { total_questions: 34, pass_mark: 26, passed: true });
  expect(recentResults([test])).toMatchObject([{ percent: 91, passPercent: 76, passed: true }]);
  expect(recentResults(runs(3))).toMatchObject([{ percent: 30, passPercent: null }]);
});

test('averages by question, and compares with as many quizzes before', () => {
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

test.each([
  [10, 10, 100, true],
  [31, 34, 91, true],
  [9, 10, 90, false],
  [19, 21, 90, false],
  [1, 3, 33, false],
  [0, 0, 0, false],
])('%i of %i is %i %%', (correct, total, percent, excellent) => {
  expect(percentage(correct, total)).toEqual({ percent, excellent });
});

const topic = (language: string, met: number, right: number) => ({
  topic: `Tema ${met}`,
  language,
  names: { no: null, en: null },
  met,
  right,
  enough: met >= 5,
  last_practised_at: '2026-01-16T17:05:00.000Z',
});
const progress = (...topics: ReturnType<typeof topic>[]) => ({ topics, weakest: null });

test('offers the mistakes of every language, over all topics, the preferred one first', () => {
  const both = progress(topic('no', 10, 7), topic('no', 3, 2), topic('en', 4, 3));
  expect(mistakesOf(both, 'no')).toEqual([
    { language: 'no', count: 4 },
    { language: 'en', count: 1 },
  ]);
  expect(mistakesOf(both, 'en')).toEqual([
    { language: 'en', count: 1 },
    { language: 'no', count: 4 },
  ]);
});

test('offers mistakes in the other language, and none if there are none', () => {
  const norwegian = progress(topic('no', 10, 7), topic('en', 4, 4));
  expect(mistakesOf(norwegian, 'en')).toEqual([{ language: 'no', count: 3 }]);
  expect(mistakesOf(progress(topic('no', 2, 2)), 'no')).toEqual([]);
});

test('a drill asks in the language of its topic', () => {
  expect(drillOf('Historie', 'en', 20)).toEqual({
    topic: 'Historie',
    language: 'en',
    question_count: 20,
  });
});

const known = (name: string, right: number, met: number) => ({
  topic: name,
  language: 'no',
  names: { no: name, en: null },
  met,
  right,
  enough: met >= 5,
  last_practised_at: '2026-01-16T17:05:00.000Z',
});

test('sorts the weakest topic first, and topics with too few answers last', () => {
  const topics = [known('A', 1, 2), known('B', 9, 10), known('C', 5, 10), known('D', 0, 4)];
  expect(byStrength(topics, 'no').map((row) => row.topic)).toEqual(['C', 'B', 'A', 'D']);
});

test('lists the topics of a language without an answer after those with one, then other languages', () => {
  const english = { ...known('E', 1, 5), language: 'en' };
  const all = { language: 'no', topics: ['A', 'E', 'F'].map((topic) => ({ topic })) };
  const rows = byStrength(withUnmet([english, known('A', 1, 2)], all), 'no');
  expect(rows.map(({ topic, language, met }) => [topic, language, met])).toEqual([
    ['A', 'no', 2],
    ['E', 'no', 0],
    ['F', 'no', 0],
    ['E', 'en', 5],
  ]);
});

test('counts the mistakes of each topic in a language, the most first', () => {
  const english = { ...known('D', 0, 9), language: 'en' };
  const topics = [known('A', 4, 5), known('B', 9, 12), known('C', 5, 5), english];
  expect(
    mistakesByTopic({ topics, weakest: null }, 'no').map(({ topic: name, mistakes }) => [
      name,
      mistakes,
    ]),
  ).toEqual([
    ['B', 3],
    ['A', 1],
  ]);
});

test('sorts equal topics by their number of mistakes', () => {
  const topics = [known('A', 4, 8), known('B', 10, 20)];
  expect(byStrength(topics, 'no').map((row) => row.topic)).toEqual(['B', 'A']);
});

const history = { topic: 'Historie', language: 'no', names: { no: 'Historie', en: 'History' } };

test('names a topic in the language of the page', () => {
  expect(topicName(history, 'en')).toEqual({ name: 'History', language: 'en' });
  expect(topicName(history, 'no')).toEqual({ name: 'Historie', language: 'no' });
});

test('names a topic as its questions do, if the bank has no other name', () => {
  const unpaired = { ...history, names: { no: 'Historie', en: null } };
  expect(topicName(unpaired, 'en')).toEqual({ name: 'Historie', language: 'no' });
  const { names: _names, ...ofTheVersionBefore } = history;
  expect(topicName(ofTheVersionBefore, 'en')).toEqual({ name: 'Historie', language: 'no' });
});
