import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { recently } from './recently.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('asks once for all who wait, and again only when the time is over', async () => {
  let asked = 0;
  const read = recently(1_000, async () => (asked += 1));
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  vi.advanceTimersByTime(999);
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await read()).toBe(2);
});

test('gives what was last known while the source fails', async () => {
  let away = true;
  let value = 1;
  const read = recently(1_000, async () => {
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

test('gives what was last known while the source does not answer', async () => {
  vi.useRealTimers();
  let answers = true;
  const read = recently(0, () => (answers ? Promise.resolve(1) : new Promise<number>(() => {})));
  expect(await read()).toBe(1);
  answers = false;
  expect(await read()).toBe(1);
});
