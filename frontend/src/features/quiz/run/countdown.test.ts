import { expect, test } from 'vitest';
import { formatClock, reminderAt, secondsUntil, untilNextSecond } from './countdown.ts';

test.each([
  [3600, '60:00'],
  [3599, '59:59'],
  [61, '01:01'],
  [0, '00:00'],
  [4500, '75:00'],
])('%i seconds read %s', (seconds, text) => {
  expect(formatClock(seconds)).toBe(text);
});

test('0:01 is shown until the time is up', () => {
  expect(secondsUntil(10_000, 9_001)).toBe(1);
  expect(secondsUntil(10_000, 10_000)).toBe(0);
  expect(secondsUntil(10_000, 99_000)).toBe(0);
  const now = 4_300;
  const next = now + untilNextSecond(10_000, now);
  expect(secondsUntil(10_000, next)).toBe(secondsUntil(10_000, now) - 1);
});

test('reminds at ten, five and one minute, for 20 seconds each', () => {
  const seconds = Array.from({ length: 700 }, (_, index) => index);
  const reminded = Map.groupBy(seconds, reminderAt);
  expect(reminded.get(10)).toEqual(seconds.filter((n) => n > 580 && n <= 600));
  expect(reminded.get(5)).toHaveLength(20);
  expect(reminded.get(1)).toHaveLength(20);
  expect(reminderAt(0)).toBeUndefined();
});
