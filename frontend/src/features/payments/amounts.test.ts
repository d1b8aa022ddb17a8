import { expect, test } from 'vitest';
import { daysTakenBackBy, readKroner, toKroner } from './amounts.ts';

test('amounts are read as whole øre, and anything else is refused', () => {
  expect(['50', '49,5', '49.50', ' 1 000 ', '0,01'].map(readKroner)).toEqual([
    5000, 4950, 4950, 100_000, 1,
  ]);
  expect(['', '0', '-1', '1,234', '1e3', 'x', '1,', '1.2.3'].map(readKroner)).toEqual(
    Array.from({ length: 8 }, () => null),
  );
  expect([5000, 4950, 1, 14905].map(toKroner)).toEqual(['50', '49,50', '0,01', '149,05']);
});

test('a refund takes back its share of the days, in addition to earlier refunds', () => {
  const payment = { amount: 14900, refunded: 0, days: 30, taken_back: 0 };
  expect(daysTakenBackBy(4000, payment)).toBe(8);
  expect(daysTakenBackBy(14900, payment)).toBe(30);
  expect(daysTakenBackBy(10900, { ...payment, refunded: 4000, taken_back: 8 })).toBe(22);
  expect(daysTakenBackBy(100, { ...payment, taken_back: 30 })).toBe(0);
});
