import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { paymentsKeys } from '#features/payments/api.ts';
import { keepUpToDate } from './live-updates.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the summary of all payments is read again at most once in five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  let tell: (text: string) => void = () => {};
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      tell = (text) => stream.enqueue(new TextEncoder().encode(text));
    },
  });
  const queryClient = new QueryClient();
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries');
  const times = (key: readonly unknown[]) =>
    invalidate.mock.calls.filter(([filter]) => String(filter?.queryKey) === String(key)).length;
  keepUpToDate({
    queryClient,
    request: () => Promise.resolve(new Response(body)),
    getSession: () => ({ user: { uid: 'boss' } }) as never,
    onSessionChange: () => () => {},
  });
  await vi.advanceTimersByTimeAsync(0);
  for (let second = 0; second < 4; second += 1) {
    tell('data: {"topic":"payments"}\n\n');
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(times(paymentsKeys.all)).toBeGreaterThanOrEqual(4);
  expect(times(paymentsKeys.summary())).toBe(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(times(paymentsKeys.summary())).toBe(2);
});
