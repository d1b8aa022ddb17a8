import { expect, test } from 'vitest';
import { resultTone } from './result-tone.ts';

test.each([
  [10, 10, 'excellent'],
  [9, 10, 'excellent'],
  [31, 34, 'excellent'],
  [30, 34, 'good'],
  [5, 10, 'good'],
  [4, 10, 'low'],
  [16, 34, 'low'],
  [0, 10, 'low'],
] as const)('%i of %i is %s', (score, total, tone) => {
  expect(resultTone(score, total)).toBe(tone);
});
