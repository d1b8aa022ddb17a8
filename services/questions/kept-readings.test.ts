import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { KeptReadings, type Wanted } from './kept-readings.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Readings that are numbered, and take 100 ms each. */
function numbered() {
  const kept = new KeptReadings<{ n: number }>();
  let count = 0;
  const read = vi.fn<() => Promise<{ n: number }>>(async () => {
    count += 1;
    const n = count;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { n };
  });
  const ask = async (wanted: Partial<Wanted> = {}) => {
    const found = kept.get({ key: 'list', revision: '1', ages: false, ...wanted }, read);
    // Heard of before the clock goes on.
    found.catch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    return (await found).n;
  };
  const asks = (...numbers: number[]) =>
    Promise.all(numbers.map((number) => ask({ key: String(number) })));
  return { read, ask, asks };
}

describe('a kept reading', () => {
  test('serves its revision of the bank for good, and whoever asks while it is read', async () => {
    const { ask, read } = numbered();
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
    vi.advanceTimersByTime(3_600_000);
    expect(await ask()).toBe(1);
    // Two changes while the first is being read.
    const found = [ask({ revision: '2' }), ask({ revision: '3' }), ask({ revision: '3' })];
    expect(await Promise.all(found)).toEqual([2, 3, 3]);
    expect(await ask({ revision: '3' })).toBe(3);
    expect(read).toHaveBeenCalledTimes(3);
  });

  test('that ages is served for 5 s, renewed beside for a minute, and then waited for', async () => {
    const { ask, read } = numbered();
    const ages = true;
    expect(await ask({ ages })).toBe(1);
    await vi.advanceTimersByTimeAsync(4_700);
    expect(await ask({ ages })).toBe(1);
    expect(read).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(300);
    // Two who ask cause one renewal.
    expect(await Promise.all([ask({ ages }), ask({ ages })])).toEqual([1, 1]);
    expect(await ask({ ages })).toBe(2);
    expect(read).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(await ask({ ages })).toBe(2);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await ask({ ages })).toBe(4);
  });

  test('is as old as the beginning of its reading', async () => {
    const { ask, read } = numbered();
    await ask({ ages: true });
    await vi.advanceTimersByTimeAsync(4_910);
    await ask({ ages: true });
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('outlives a renewal that fails, and is not kept where it fails itself', async () => {
    const { ask, read } = numbered();
    read.mockRejectedValueOnce(new Error('away'));
    await expect(ask({ ages: true })).rejects.toThrow('away');
    expect(await ask({ ages: true })).toBe(1);
    await vi.advanceTimersByTimeAsync(6_000);
    read.mockRejectedValueOnce(new Error('away'));
    expect(await ask({ ages: true })).toBe(1);
    expect(await ask({ ages: true })).toBe(1);
    expect(await ask({ ages: true })).toBe(2);
    await vi.advanceTimersByTimeAsync(61_000);
    read.mockRejectedValueOnce(new Error('away'));
    await expect(ask({ ages: true })).rejects.toThrow('away');
  });

  test('gives way to the six that were asked for last, also while it is read', async () => {
    const { asks, read } = numbered();
    expect(await asks(1, 2, 3, 4, 5, 6, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await asks(7, 3, 2)).toEqual([7, 3, 2]);
    expect(await asks(1)).toEqual([8]);
    expect(await asks(4)).toEqual([9]);
    expect(await asks(3, 2)).toEqual([3, 2]);
    expect(read).toHaveBeenCalledTimes(9);
  });
});
