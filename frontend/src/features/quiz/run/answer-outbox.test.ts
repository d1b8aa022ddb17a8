import type { AnswerResponse, QuizSession } from '@proveklar/contract/quiz.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '#lib/api-error.ts';
import { withMemoryStorage } from '#lib/test-support.ts';
import { createAnswerOutbox, SLOW_MS } from './answer-outbox.ts';
import { keepAnswer, readUnsent } from './unsent-answers.ts';

const owner = { uid: 'me', quizId: 'quiz' };
const drill = {
  id: 'quiz',
  state: 'open',
  instant_feedback: true,
  questions: [{ uuid: 'a' }, { uuid: 'b' }],
  answers: {},
  exam: null,
} as unknown as QuizSession;
const practiceTest = { ...drill, instant_feedback: false, exam: {} } as QuizSession;

const judged: AnswerResponse = { score: 1, correct: true };
const offline = () => new ApiError(0, 'network', 'No contact');

withMemoryStorage('localStorage');
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An outbox that is open, and what a service would see of it. */
function opened(session = drill) {
  const post = vi.fn<(given: { question_id: string; answer: string }) => Promise<AnswerResponse>>();
  post.mockResolvedValue(judged);
  const link = { post, onClosed: vi.fn<() => void>(), onStale: vi.fn<() => void>() };
  const outbox = createAnswerOutbox(session, owner, () => 0);
  const close = outbox.open(link);
  const sent = () => post.mock.calls.map(([{ question_id, answer }]) => `${question_id}=${answer}`);
  const statuses = () =>
    Object.fromEntries(
      Object.entries(outbox.state().answers).map(([uuid, { status }]) => [uuid, status]),
    );
  return { outbox, close, sent, statuses, ...link };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

test('an answer is kept until it is confirmed, and judged then', async () => {
  const { outbox, statuses } = opened();
  outbox.give('a', 'x');
  expect(readUnsent(owner).answers).toEqual({ a: 'x' });
  expect(statuses()).toEqual({ a: 'sending' });
  await settle();
  expect(outbox.state().answers.a).toMatchObject({ status: 'saved', result: { correct: true } });
  expect(readUnsent(owner).answers).toEqual({});
});

test('without a network all wait, one call at a time goes by the schedule, each arrives once', async () => {
  const { outbox, post, sent, statuses } = opened();
  post.mockImplementation(() => Promise.reject(offline()));
  outbox.give('a', 'x');
  await settle();
  expect(statuses()).toEqual({ a: 'waiting' });
  await vi.advanceTimersByTimeAsync(60_000);
  // At 0, 1, 3, 7, 15, 30, 45 and 60 seconds.
  expect(sent()).toHaveLength(8);
  post.mockClear();
  post.mockResolvedValue(judged);
  outbox.give('b', 'y');
  await settle();
  expect(sent()).toEqual(['a=x', 'b=y']);
  expect(statuses()).toEqual({ a: 'saved', b: 'saved' });
  expect(outbox.state().problem).toBeUndefined();
});

test('nothing shortens the wait that the service asks for', async () => {
  const { outbox, post, sent } = opened();
  const busy = Object.assign(new ApiError(429, 'rate_limited', 'busy'), { retryAfterS: 30 });
  post.mockRejectedValueOnce(busy);
  outbox.give('a', 'x');
  await settle();
  outbox.hurry();
  outbox.give('b', 'y');
  await vi.advanceTimersByTimeAsync(29_000);
  expect(sent()).toEqual(['a=x']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent()).toEqual(['a=x', 'a=x', 'b=y']);
});

test('who is slow to answer is asked once, and nobody has to wait for it', async () => {
  const { outbox, post, sent, statuses } = opened();
  const { promise, resolve } = Promise.withResolvers<AnswerResponse>();
  post.mockReturnValueOnce(promise);
  outbox.give('a', 'x');
  await vi.advanceTimersByTimeAsync(SLOW_MS);
  expect(statuses()).toEqual({ a: 'waiting' });
  outbox.give('b', 'y');
  await vi.advanceTimersByTimeAsync(11_000);
  expect(sent()).toEqual(['a=x']);
  resolve(judged);
  await settle();
  expect(sent()).toEqual(['a=x', 'b=y']);
});

test('handing in waits for the answers, goes on by itself, and is not asked twice', async () => {
  const { outbox, close, post, sent } = opened();
  post.mockRejectedValueOnce(offline());
  const end = vi.fn<() => Promise<void>>(() => Promise.resolve());
  end.mockRejectedValueOnce(offline());
  outbox.give('a', 'x');
  await settle();
  const done = outbox.handIn(end);
  expect(readUnsent(owner).handIn).toBe(true);
  await vi.advanceTimersByTimeAsync(2_000);
  await done;
  expect(sent()).toEqual(['a=x', 'a=x']);
  expect(end).toHaveBeenCalledTimes(2);
  expect(readUnsent(owner)).toEqual({ answers: {}, marks: {}, handIn: false });
  close();
});

test('an answer that is refused for good is given up, and nothing is handed in without it', async () => {
  const { outbox, post } = opened();
  post.mockRejectedValueOnce(new ApiError(400, 'answer_not_an_option', 'no option'));
  const end = vi.fn<() => Promise<void>>();
  outbox.give('a', 'x');
  expect(await outbox.handIn(end)).toBe('a');
  expect(end).not.toHaveBeenCalled();
  expect(outbox.state()).toMatchObject({ answers: {}, refusal: { status: 400 }, handingIn: false });
});

test('who may not answer any more is not tried again by itself, and loses nothing', async () => {
  const { outbox, post, sent } = opened();
  post.mockRejectedValueOnce(new ApiError(401, 'account_disabled', 'disabled'));
  outbox.give('a', 'x');
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(sent()).toEqual(['a=x']);
  expect(outbox.state().problem).toMatchObject({ failures: 1, stopped: true });
  expect(readUnsent(owner).answers).toEqual({ a: 'x' });
  outbox.hurry();
  await settle();
  expect(readUnsent(owner).answers).toEqual({});
});

test('a quiz that is closed meanwhile takes no more, and says so once', async () => {
  const { outbox, post, onClosed, sent } = opened();
  post.mockRejectedValue(new ApiError(409, 'quiz_closed', 'closed'));
  outbox.give('a', 'x');
  outbox.give('b', 'y');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toEqual(['a=x']);
  expect(onClosed).toHaveBeenCalledOnce();
  // For the result to tell which came too late.
  expect(readUnsent(owner).answers).toEqual({ a: 'x', b: 'y' });
});

test('what was unsent before a reload is sent, but a drill keeps what arrived', async () => {
  keepAnswer(owner, 'a', 'x');
  keepAnswer(owner, 'b', 'y');
  const stands = { b: { answer: 'first', correct: false } };
  const { outbox, sent } = opened({ ...drill, answers: stands });
  await settle();
  expect(sent()).toEqual(['a=x']);
  expect(outbox.state().answers.b).toMatchObject({ answer: 'first', status: 'saved' });
  expect(readUnsent(owner).answers).toEqual({});
});

test('the page that is left takes up nothing more, and keeps what is unsent', async () => {
  const { outbox, close, post, sent } = opened();
  post.mockRejectedValueOnce(offline());
  outbox.give('a', 'x');
  await settle();
  close();
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toHaveLength(1);
  expect(readUnsent(owner).answers).toEqual({ a: 'x' });
});

test('in a drill the answer that was first stands, wherever it was given', async () => {
  const { outbox, post } = opened();
  post.mockResolvedValueOnce({ ...judged, answer: 'first' });
  outbox.give('a', 'second');
  await settle();
  expect(outbox.state().answers.a).toMatchObject({ answer: 'first', fresh: false });

  keepAnswer(owner, 'b', 'from the other tab');
  outbox.give('b', 'later');
  await settle();
  expect(outbox.state().answers.b).toMatchObject({ answer: 'from the other tab' });
});

test('in a practice test the last choice wins, whichever tab made it', async () => {
  const { outbox, post, sent } = opened(practiceTest);
  post.mockRejectedValueOnce(offline());
  outbox.give('a', 'mine');
  await settle();
  keepAnswer(owner, 'a', 'theirs');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent()).toEqual(['a=mine', 'a=theirs']);
  expect(outbox.state().answers.a).toMatchObject({ answer: 'theirs', status: 'saved' });
});

test('what another tab could not send yet is shown and sent; what it has sent is read', async () => {
  const { outbox, post, onClosed, onStale, sent } = opened(practiceTest);
  keepAnswer(owner, 'a', 'x');
  outbox.adopt();
  expect(outbox.state().answers.a).toMatchObject({ answer: 'x', fresh: false });
  await settle();
  expect(sent()).toEqual(['a=x']);

  keepAnswer(owner, 'b', 'y');
  const later = createAnswerOutbox(practiceTest, owner);
  localStorage.removeItem('proveklar.unsent.me.quiz');
  later.open({ post, onClosed, onStale });
  await settle();
  expect(sent()).toEqual(['a=x']);
  expect(onStale).toHaveBeenCalled();
});

test('what stands elsewhere is taken over, but nothing that was given meanwhile', async () => {
  const { outbox } = opened(practiceTest);
  outbox.give('a', 'mine');
  await settle();
  const elsewhere = (answers: QuizSession['answers']) => ({ ...practiceTest, answers });
  await outbox.readAgain(() => Promise.resolve(elsewhere({ a: { answer: 'new', correct: null } })));
  expect(outbox.state().answers.a).toMatchObject({ answer: 'new', status: 'saved' });

  const { promise, resolve } = Promise.withResolvers<QuizSession>();
  const reading = outbox.readAgain(() => promise);
  outbox.give('a', 'mine again');
  await settle();
  resolve(
    elsewhere({ a: { answer: 'new', correct: null }, b: { answer: 'other', correct: null } }),
  );
  await reading;
  expect(outbox.state().answers).toMatchObject({
    a: { answer: 'mine again' },
    b: { answer: 'other' },
  });
});
