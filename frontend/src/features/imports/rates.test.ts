import { expect, test } from 'vitest';
import { ratesOf, type Sample, secondsLeft, withSample } from './rates.ts';

const at = (seconds: number, rows: number): Sample => ({
  at: seconds * 1000,
  rows,
  bytes: rows * 300,
});

test('gives no rate before it has measured for a while', () => {
  expect(ratesOf([])).toBe(null);
  expect(ratesOf([at(0, 0)])).toBe(null);
  expect(ratesOf([at(0, 0), at(1, 5000)])).toBe(null);
  expect(ratesOf([at(0, 0), at(2, 5000)])).toEqual({ rows: 2500, bytes: 750_000 });
});

test('follows the last seconds, and forgets older samples', () => {
  let samples: Sample[] = [];
  for (let second = 0; second <= 100; second += 5) {
    samples = withSample(samples, at(second, second * 1000));
  }
  for (let second = 105; second <= 130; second += 5) {
    samples = withSample(samples, at(second, 100_000));
  }
  expect(ratesOf(samples)).toEqual({ rows: 0, bytes: 0 });
  expect(samples.length).toBeLessThan(8);
});

test('keeps the last sample however long the next one takes', () => {
  const samples = withSample([at(0, 0)], at(60, 60_000));
  expect(ratesOf(samples)).toEqual({ rows: 1000, bytes: 300_000 });
});

test('computes the time left, which is unknown without progress', () => {
  const half = { bytes_total: 3000, bytes_done: 1500 };
  expect(secondsLeft(half, { rows: 1, bytes: 300 })).toBe(5);
  expect(secondsLeft(half, { rows: 0, bytes: 0 })).toBe(null);
  expect(secondsLeft(half, null)).toBe(null);
  expect(secondsLeft({ ...half, bytes_total: null }, { rows: 1, bytes: 300 })).toBe(null);
});
