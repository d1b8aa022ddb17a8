import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttleEach } from './throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function calls() {
  const heard: [string, number][] = [];
  const begun = performance.now();
  const call = throttleEach(1_000, (what: string) => heard.push([what, performance.now() - begun]));
  return { heard, call };
}

test('a throttled call is made at once, then once at the end of each interval in which it came', () => {
  const { heard, call } = calls();
  for (let ms = 0; ms < 2_100; ms += 300) {
    call('a');
    vi.advanceTimersByTime(300);
  }
  vi.advanceTimersByTime(5_000);
  expect(heard).toEqual([0, 1_000, 2_000].map((at) => ['a', at]));
});

test('each argument is throttled separately', () => {
  const { heard, call } = calls();
  call('a');
  call('b');
  call('a');
  vi.advanceTimersByTime(1_000);
  expect(heard).toEqual([
    ['a', 0],
    ['b', 0],
    ['a', 1_000],
  ]);
});

test('a throttled call is not delayed when the system clock is set back', () => {
  const { heard, call } = calls();
  call('a');
  vi.setSystemTime(Date.now() - 3_600_000);
  call('a');
  vi.advanceTimersByTime(1_000);
  expect(heard).toHaveLength(2);
});
