import { expect, test } from 'vitest';
import { readPrice, readWhole } from './read-number.ts';

test.each([
  ['149', 149],
  ['149,5', 149.5],
  ['149.50', 149.5],
  ['1 490,00', 1490],
  ['1\u00a0490', 1490],
  ['0', 0],
  ['19,999', 20],
])('%s is a price', (text, price) => {
  expect(readPrice(text)).toBe(price);
});

test.each(['', 'abc', '-1', '1.490,50', '1e3', 'Infinity', '149 kr', '.'])(
  '"%s" is not a price',
  (text) => {
    expect(readPrice(text)).toBeNull();
  },
);

test('days are whole, and at least one', () => {
  expect(readWhole('30')).toBe(30);
  for (const text of ['', '0', '-3', '2,5', 'a month']) expect(readWhole(text)).toBeNull();
});
