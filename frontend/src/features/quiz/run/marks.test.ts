import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '#lib/api-error.ts';
import { withMemoryStorage } from '#lib/test-support.ts';
import { readUnsent } from '../unsent-answers.ts';
import { createMarksStore } from './marks.ts';

const owner = { uid: 'me', quizId: 'quiz' };
const offline = () => new ApiError(0, 'network', 'No contact');

withMemoryStorage('localStorage');
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = () => vi.advanceTimersByTimeAsync(0);
const sender = () => vi.fn<(uuid: string, marked: boolean) => Promise<unknown>>(async () => {});

test('an unsent mark survives the page, and the next page sends it', async () => {
  const send = sender();
  send.mockRejectedValue(offline());
  const store = createMarksStore(owner, () => 0);
  const close = store.open(send);
  store.keep('a', true);
  await settle();
  close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(send).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
  expect(readUnsent(owner).marks).toEqual({ a: true });

  const again = sender();
  createMarksStore(owner).open(again);
  await settle();
  expect(again.mock.calls).toEqual([['a', true]]);
  expect(readUnsent(owner).marks).toEqual({});
});

test('a mark is retried with backoff, and at once with the next mark; the last one counts', async () => {
  const send = sender();
  send.mockRejectedValueOnce(offline()).mockRejectedValueOnce(offline());
  const store = createMarksStore(owner, () => 0);
  store.open(send);
  store.keep('a', true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(send).toHaveBeenCalledTimes(2);
  store.keep('a', false);
  await settle();
  expect(send.mock.calls.slice(2)).toEqual([['a', false]]);
  expect(readUnsent(owner).marks).toEqual({});
});

test('a mark changed during its request is sent again', async () => {
  const send = sender();
  const { promise, resolve } = Promise.withResolvers<void>();
  send.mockReturnValueOnce(promise);
  const store = createMarksStore(owner);
  store.open(send);
  store.keep('a', true);
  store.keep('a', false);
  resolve();
  await settle();
  expect(send.mock.calls).toEqual([
    ['a', true],
    ['a', false],
  ]);
});

test('a permanently refused mark is given up, and blocks no other', async () => {
  const send = sender();
  send.mockRejectedValueOnce(new ApiError(409, 'quiz_closed', 'closed'));
  const store = createMarksStore(owner);
  store.open(send);
  store.keep('a', true);
  store.keep('b', true);
  await settle();
  expect(send.mock.calls.map(([uuid]) => uuid)).toEqual(['a', 'b']);
  expect(readUnsent(owner).marks).toEqual({});
});

test('a mark delivered during a read of the quiz stays, though the read does not have it', async () => {
  const store = createMarksStore(owner);
  store.open(sender());
  const began = performance.now();
  store.keep('a', true);
  await vi.advanceTimersByTimeAsync(10);
  const questions = ['a', 'b'].map((uuid) => ({ uuid, marked: uuid === 'b' }));
  const session = { questions } as QuizSession;
  expect(readUnsent(owner).marks).toEqual({});
  expect(store.markedIn({ session, began })).toEqual(new Set(['a', 'b']));
  expect(store.markedIn({ session, began: performance.now() + 1 })).toEqual(new Set(['b']));
});
