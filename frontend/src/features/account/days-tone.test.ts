import { expect, test } from 'vitest';
import { daysTone } from './days-tone.ts';

test.each([
  [30, 'ok'],
  [8, 'ok'],
  [7, 'warning'],
  [2, 'warning'],
  [1, 'critical'],
  [0, 'expired'],
] as const)('%i days left is %s', (days, tone) => {
  expect(daysTone(days)).toBe(tone);
});
