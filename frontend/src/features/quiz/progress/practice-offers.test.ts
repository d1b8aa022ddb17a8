import { expect, test } from 'vitest';
import { drillOf, mistakesOf } from './practice-offers.ts';

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

test('mistakes are offered in the language asked for, over all topics', () => {
  const both = progress(topic('no', 10, 7), topic('no', 3, 2), topic('en', 4, 3));
  expect(mistakesOf(both, 'no')).toEqual({ language: 'no', count: 4 });
  expect(mistakesOf(both, 'en')).toEqual({ language: 'en', count: 1 });
});

test('else in the other one, and not at all when there are none', () => {
  const norwegian = progress(topic('no', 10, 7), topic('en', 4, 4));
  expect(mistakesOf(norwegian, 'en')).toEqual({ language: 'no', count: 3 });
  expect(mistakesOf(progress(topic('no', 2, 2)), 'no')).toBeUndefined();
});

test('a drill asks in the language of its topic', () => {
  expect(drillOf('Historie', 'en', 20)).toEqual({
    topic: 'Historie',
    language: 'en',
    question_count: 20,
  });
});
