import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cached } from './cached.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('concurrent callers share one read, which is repeated after the time to live', async () => {
  let reads = 0;
  const read = cached(1_000, async () => (reads += 1));
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  vi.advanceTimersByTime(999);
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await read()).toBe(2);
});

test('the last value is returned while the source fails', async () => {
  let away = true;
  let value = 1;
  const read = cached(1_000, async () => {
    if (away) throw new Error('away');
    return value;
  });
  await expect(read()).rejects.toThrow('away');
  away = false;
  expect(await read()).toBe(1);

  away = true;
  value = 2;
  for (const _second of [1, 2]) {
    vi.advanceTimersByTime(1_000);
    expect(await read()).toBe(1);
  }
  away = false;
  vi.advanceTimersByTime(1_000);
  expect(await read()).toBe(2);
});

test('the last value is returned while the source does not answer', async () => {
  vi.useRealTimers();
  let answers = true;
  const read = cached(0, () => (answers ? Promise.resolve(1) : new Promise<number>(() => {})));
  expect(await read()).toBe(1);
  answers = false;
  expect(await read()).toBe(1);
});
