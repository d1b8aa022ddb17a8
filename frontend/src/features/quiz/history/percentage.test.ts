import { expect, test } from 'vitest';
import { percentage } from './percentage.ts';

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
