import { describe, expect, test } from 'vitest';
import { backoff as ofServices } from '@proveklar/services/lifecycle/backoff.ts';
import { backoff as ofBrowser } from '../../frontend/src/lib/backoff.ts';

describe.each([
  ['services', ofServices],
  ['frontend', ofBrowser],
])('backoff in %s', (_room, backoff) => {
  const waits = (options: Parameters<typeof backoff>[1]) =>
    [0, 1, 2, 3, 4, 5, 6, 2_000].map((failures) => backoff(failures, options));

  test('backoff doubles from min to max', () => {
    expect(waits({ min: 250, max: 10_000 })).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ]);
  });

  test('backoff never waits less than min, also where max is less', () => {
    expect(waits({ min: 5_000, max: 2_000 })).toEqual(Array.from({ length: 8 }, () => 5_000));
  });

  test('jitter multiplies the capped wait by a factor between its two ends', () => {
    const at = (share: number) =>
      backoff(9, { min: 1_000, max: 15_000, jitter: [0.5, 1.2], random: () => share });
    expect([at(0), at(0.5), at(1)]).toEqual([7_500, 12_750, 18_000]);
  });
});
