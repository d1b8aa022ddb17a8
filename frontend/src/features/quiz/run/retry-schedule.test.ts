import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, mayPass, NOT_OURS } from '#lib/api-error.ts';
import { NOT_BY_ITSELF, startWait, waitAfter } from './retry-schedule.ts';

afterEach(() => vi.useRealTimers());

const failed = (status: number, retryAfterS = 0) =>
  Object.assign(new ApiError(status, 'any', 'any'), { retryAfterS });

test('it is tried again after 1, 2, 4, 8 and 15 seconds, and then every 15', () => {
  const network = failed(0);
  const waits = [1, 2, 3, 4, 5, 6, 60].map((n) => waitAfter(n, network, () => 0).ms / 1_000);
  expect(waits).toEqual([1, 2, 4, 8, 15, 15, 15]);
});

test('only the service itself refuses for good, not what stands in between', () => {
  for (const status of [403, 404, 409]) {
    expect(mayPass(new ApiError(status, 'quiz_not_found', 'any'))).toBe(false);
    expect(mayPass(new ApiError(status, NOT_OURS, 'Forbidden'))).toBe(true);
  }
});

test('clients that failed in one moment do not come back in one moment', () => {
  expect(waitAfter(1, failed(0), () => 0.5).ms).toBe(1_100);
  expect(waitAfter(5, failed(503), () => 1).ms).toBe(18_000);
});

test('the time that the service names is respected, and not shortened', async () => {
  expect(waitAfter(1, failed(429, 60), () => 0)).toEqual({ ms: 60_000, told: true });
  // No shorter than the schedule: a service that says 1 each time is not asked every second.
  expect(waitAfter(5, failed(503, 1), () => 0)).toEqual({ ms: 15_000, told: false });

  vi.useFakeTimers();
  const over = vi.fn<() => void>();
  const wait = startWait({ ms: 60_000, told: true });
  void wait.over.then(over);
  wait.hurry();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(over).toHaveBeenCalledOnce();
});

test('any other wait ends when there is reason to believe that it goes now', async () => {
  vi.useFakeTimers();
  const wait = startWait({ ms: 15_000, told: false });
  wait.hurry();
  await wait.over;
  expect(vi.getTimerCount()).toBe(0);
});

test('what is refused for who is asking waits for a person', () => {
  expect(waitAfter(1, failed(401)).ms).toBe(NOT_BY_ITSELF);
});
