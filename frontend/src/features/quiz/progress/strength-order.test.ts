import { expect, test } from 'vitest';
import { byStrength } from './strength-order.ts';

const topic = (name: string, right: number, met: number) => ({
  topic: name,
  language: 'no',
  names: { no: name, en: null },
  met,
  right,
  enough: met >= 5,
  last_practised_at: '2026-01-16T17:05:00.000Z',
});

test('the weakest first, and what is not known yet last', () => {
  const topics = [topic('A', 1, 2), topic('B', 9, 10), topic('C', 5, 10), topic('D', 0, 4)];
  expect(byStrength(topics).map((row) => row.topic)).toEqual(['C', 'B', 'A', 'D']);
});

test('of equal ones that with more to mend', () => {
  const topics = [topic('A', 4, 8), topic('B', 10, 20)];
  expect(byStrength(topics).map((row) => row.topic)).toEqual(['B', 'A']);
});
