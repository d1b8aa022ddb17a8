import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Lookup, RevisionCache } from './revision-cache.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A cache of numbered values; each read takes 100 ms. */
function numberedReads() {
  const cache = new RevisionCache<{ n: number }>();
  let count = 0;
  const read = vi.fn<() => Promise<{ n: number }>>(async () => {
    count += 1;
    const n = count;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { n };
  });
  const get = async (lookup: Partial<Lookup> = {}) => {
    const value = cache.get({ key: 'list', revision: '1', expires: false, ...lookup }, read);
    // Handles a rejection before the clock advances.
    value.catch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    return (await value).n;
  };
  const getAll = (...numbers: number[]) =>
    Promise.all(numbers.map((number) => get({ key: String(number) })));
  return { read, get, getAll };
}

describe('the revision cache', () => {
  test('serves a value as long as the revision stays, and shares a concurrent read', async () => {
    const { get, read } = numberedReads();
    expect(await Promise.all([get(), get()])).toEqual([1, 1]);
    vi.advanceTimersByTime(3_600_000);
    expect(await get()).toBe(1);
    // Two changes while the first value is being read.
    const values = [get({ revision: '2' }), get({ revision: '3' }), get({ revision: '3' })];
    expect(await Promise.all(values)).toEqual([2, 3, 3]);
    expect(await get({ revision: '3' })).toBe(3);
    expect(read).toHaveBeenCalledTimes(3);
  });

  test('serves an expiring value for 5 s, then stale during a refresh, and never after a minute', async () => {
    const { get, read } = numberedReads();
    const expires = true;
    expect(await get({ expires })).toBe(1);
    await vi.advanceTimersByTimeAsync(4_700);
    expect(await get({ expires })).toBe(1);
    expect(read).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(300);
    // Two calls start one refresh.
    expect(await Promise.all([get({ expires }), get({ expires })])).toEqual([1, 1]);
    expect(await get({ expires })).toBe(2);
    expect(read).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(await get({ expires })).toBe(2);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await get({ expires })).toBe(4);
  });

  test('counts the age of a value from the start of its read', async () => {
    const { get, read } = numberedReads();
    await get({ expires: true });
    await vi.advanceTimersByTimeAsync(4_910);
    await get({ expires: true });
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('keeps a value when its refresh fails, and caches no failure', async () => {
    const { get, read } = numberedReads();
    read.mockRejectedValueOnce(new Error('away'));
    await expect(get({ expires: true })).rejects.toThrow('away');
    expect(await get({ expires: true })).toBe(1);
    await vi.advanceTimersByTimeAsync(6_000);
    read.mockRejectedValueOnce(new Error('away'));
    expect(await get({ expires: true })).toBe(1);
    expect(await get({ expires: true })).toBe(1);
    expect(await get({ expires: true })).toBe(2);
    await vi.advanceTimersByTimeAsync(61_000);
    read.mockRejectedValueOnce(new Error('away'));
    await expect(get({ expires: true })).rejects.toThrow('away');
  });

  test('keeps the six entries used last, and answers a read whose entry was evicted', async () => {
    const { getAll, read } = numberedReads();
    expect(await getAll(1, 2, 3, 4, 5, 6, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await getAll(7, 3, 2)).toEqual([7, 3, 2]);
    expect(await getAll(1)).toEqual([8]);
    expect(await getAll(4)).toEqual([9]);
    expect(await getAll(3, 2)).toEqual([3, 2]);
    expect(read).toHaveBeenCalledTimes(9);
  });
});
