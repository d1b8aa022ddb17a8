import type { AnswerResponse, QuizSession } from '@proveklar/contract/quiz.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, mayPass, NOT_OURS } from '#lib/api-error.ts';
import { withMemoryStorage } from '#lib/test-support.ts';
import { keepAnswer, readUnsent } from '../unsent-answers.ts';
import {
  createAnswersStore,
  NO_AUTOMATIC_RETRY,
  SLOW_MS,
  startWait,
  waitAfter,
} from './answers-store.ts';

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

/** An open store with fake calls. */
function opened(session = drill) {
  const answer =
    vi.fn<(given: { question_id: string; answer: string }) => Promise<AnswerResponse>>();
  answer.mockResolvedValue(judged);
  const read = vi.fn<() => Promise<QuizSession>>(() => Promise.resolve(session));
  const showOutcome = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const calls = { owner: owner.uid, answer, read, showOutcome };
  const store = createAnswersStore(session, calls, () => 0);
  const close = store.open();
  const sent = () =>
    answer.mock.calls.map(([{ question_id, answer: given }]) => `${question_id}=${given}`);
  const statuses = () =>
    Object.fromEntries(
      Object.entries(store.state().answers).map(([uuid, { status }]) => [uuid, status]),
    );
  return { store, close, sent, statuses, calls, ...calls };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

test('an answer is stored until it is acknowledged, and then shows right or wrong', async () => {
  const { store, statuses } = opened();
  store.give('a', 'x');
  expect(readUnsent(owner).answers).toEqual({ a: 'x' });
  expect(statuses()).toEqual({ a: 'sending' });
  await settle();
  expect(store.state().answers.a).toMatchObject({ status: 'saved', result: { correct: true } });
  expect(readUnsent(owner).answers).toEqual({});
});

test('an answer is sent with how long its question was shown, also after a reload', async () => {
  const { store, answer, close } = opened();
  store.give('a', 'x', 1_200);
  await settle();
  expect(answer).toHaveBeenLastCalledWith({ question_id: 'a', answer: 'x', shown_ms: 1_200 });
  answer.mockImplementation(() => Promise.reject(offline()));
  store.give('b', 'y', 300);
  await settle();
  close();

  const reloaded = opened();
  await settle();
  expect(reloaded.answer.mock.calls).toEqual([[{ question_id: 'b', answer: 'y', shown_ms: 300 }]]);
});

test('an answer of an unknown time is sent without it', async () => {
  const { store, answer } = opened();
  store.give('a', 'x');
  await settle();
  expect(answer.mock.calls).toEqual([[{ question_id: 'a', answer: 'x' }]]);
});

test('offline, all answers wait, one is retried at a time with backoff, and each arrives once', async () => {
  const { store, answer, sent, statuses } = opened();
  answer.mockImplementation(() => Promise.reject(offline()));
  store.give('a', 'x');
  await settle();
  expect(statuses()).toEqual({ a: 'waiting' });
  await vi.advanceTimersByTimeAsync(60_000);
  // At 0, 1, 3, 7, 15, 30, 45 and 60 seconds.
  expect(sent()).toHaveLength(8);
  answer.mockClear();
  answer.mockResolvedValue(judged);
  store.give('b', 'y');
  await settle();
  expect(sent()).toEqual(['a=x', 'b=y']);
  expect(statuses()).toEqual({ a: 'saved', b: 'saved' });
  expect(store.state().problem).toBeUndefined();
});

test('nothing shortens a wait that the service has set', async () => {
  const { store, answer, sent } = opened();
  const busy = Object.assign(new ApiError(429, 'rate_limited', 'busy'), { retryAfterS: 30 });
  answer.mockRejectedValueOnce(busy);
  store.give('a', 'x');
  await settle();
  store.hurry();
  store.give('b', 'y');
  await vi.advanceTimersByTimeAsync(29_000);
  expect(sent()).toEqual(['a=x']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent()).toEqual(['a=x', 'a=x', 'b=y']);
});

test('a slow server gets one request, and the learner does not wait for it', async () => {
  const { store, answer, sent, statuses } = opened();
  const { promise, resolve } = Promise.withResolvers<AnswerResponse>();
  answer.mockReturnValueOnce(promise);
  store.give('a', 'x');
  await vi.advanceTimersByTimeAsync(SLOW_MS);
  expect(statuses()).toEqual({ a: 'waiting' });
  store.give('b', 'y');
  await vi.advanceTimersByTimeAsync(11_000);
  expect(sent()).toEqual(['a=x']);
  resolve(judged);
  await settle();
  expect(sent()).toEqual(['a=x', 'b=y']);
});

test('handing in waits for the answers, and is retried automatically after a failure', async () => {
  const { store, close, answer, sent } = opened();
  answer.mockRejectedValueOnce(offline());
  const end = vi.fn<() => Promise<void>>(() => Promise.resolve());
  end.mockRejectedValueOnce(offline());
  store.give('a', 'x');
  await settle();
  const done = store.handIn(end);
  expect(readUnsent(owner).handIn).toBe(true);
  await vi.advanceTimersByTimeAsync(2_000);
  await done;
  expect(sent()).toEqual(['a=x', 'a=x']);
  expect(end).toHaveBeenCalledTimes(2);
  expect(readUnsent(owner)).toEqual({ answers: {}, shownMs: {}, marks: {}, handIn: false });
  close();
});

test('a permanently refused answer is given up, and the quiz is not handed in without it', async () => {
  const { store, answer } = opened();
  answer.mockRejectedValueOnce(new ApiError(400, 'answer_not_an_option', 'no option'));
  const end = vi.fn<() => Promise<void>>();
  store.give('a', 'x');
  expect(await store.handIn(end)).toBe('a');
  expect(end).not.toHaveBeenCalled();
  expect(store.state()).toMatchObject({ answers: {}, refusal: { status: 400 }, handingIn: false });
});

test('an answer refused because the account is disabled is kept, and not retried automatically', async () => {
  const { store, answer, sent } = opened();
  answer.mockRejectedValueOnce(new ApiError(401, 'account_disabled', 'disabled'));
  store.give('a', 'x');
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(sent()).toEqual(['a=x']);
  expect(store.state().problem).toMatchObject({ failures: 1, stopped: true });
  expect(readUnsent(owner).answers).toEqual({ a: 'x' });
  store.hurry();
  await settle();
  expect(readUnsent(owner).answers).toEqual({});
});

test('a quiz that is closed meanwhile takes no more answers, and shows the outcome once', async () => {
  const { store, answer, showOutcome, sent } = opened();
  answer.mockRejectedValue(new ApiError(409, 'quiz_closed', 'closed'));
  store.give('a', 'x');
  store.give('b', 'y');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toEqual(['a=x']);
  expect(showOutcome).toHaveBeenCalledOnce();
  // So that the result can show which answers came too late.
  expect(readUnsent(owner).answers).toEqual({ a: 'x', b: 'y' });
});

test('unsent answers are sent after a reload, but a drill keeps the answer that arrived', async () => {
  keepAnswer(owner, 'a', 'x');
  keepAnswer(owner, 'b', 'y');
  const stands = { b: { answer: 'first', correct: false } };
  const { store, sent } = opened({ ...drill, answers: stands });
  await settle();
  expect(sent()).toEqual(['a=x']);
  expect(store.state().answers.b).toMatchObject({ answer: 'first', status: 'saved' });
  expect(readUnsent(owner).answers).toEqual({});
});

test('a page that is left sends nothing more, and stores unsent answers', async () => {
  const { store, close, answer, sent } = opened();
  answer.mockRejectedValueOnce(offline());
  store.give('a', 'x');
  await settle();
  close();
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toHaveLength(1);
  expect(readUnsent(owner).answers).toEqual({ a: 'x' });
});

test('a call that fails after its page was left is retried when the page is back', async () => {
  const { store, close, answer, sent } = opened();
  const { promise, reject } = Promise.withResolvers<AnswerResponse>();
  answer.mockReturnValueOnce(promise);
  store.give('a', 'x');
  close();
  reject(offline());
  await settle();
  expect(vi.getTimerCount()).toBe(0);
  expect(sent()).toHaveLength(1);
  store.open();
  await settle();
  expect(sent()).toEqual(['a=x', 'a=x']);
  expect(readUnsent(owner).answers).toEqual({});
});

test('a quiz that is found closed while an answer waits gets no more requests', async () => {
  const { store, answer, read, showOutcome, sent } = opened();
  answer.mockRejectedValue(offline());
  store.give('a', 'x');
  await settle();
  read.mockResolvedValue({ ...drill, state: 'ended' });
  await store.readAgain();
  await store.readAgain();
  expect(showOutcome).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toHaveLength(1);
  expect(readUnsent(owner).answers).toEqual({ a: 'x' });
});

test('in a drill the first answer wins, whichever tab or device gave it', async () => {
  const { store, answer } = opened();
  answer.mockResolvedValueOnce({ ...judged, answer: 'first' });
  store.give('a', 'second');
  await settle();
  expect(store.state().answers.a).toMatchObject({ answer: 'first', fresh: false });

  keepAnswer(owner, 'b', 'from the other tab');
  store.give('b', 'later');
  await settle();
  expect(store.state().answers.b).toMatchObject({ answer: 'from the other tab' });
});

test('in a practice test the last choice wins, whichever tab made it', async () => {
  const { store, answer, sent } = opened(practiceTest);
  answer.mockRejectedValueOnce(offline());
  store.give('a', 'mine');
  await settle();
  keepAnswer(owner, 'a', 'theirs');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent()).toEqual(['a=mine', 'a=theirs']);
  expect(store.state().answers.a).toMatchObject({ answer: 'theirs', status: 'saved' });
});

test('unsent answers of another tab are shown and sent, and its sent answers are read', async () => {
  const { store, read, calls, sent } = opened(practiceTest);
  keepAnswer(owner, 'a', 'x');
  store.adopt();
  expect(store.state().answers.a).toMatchObject({ answer: 'x', fresh: false });
  await settle();
  expect(sent()).toEqual(['a=x']);

  keepAnswer(owner, 'b', 'y');
  const later = createAnswersStore(practiceTest, calls);
  localStorage.removeItem('proveklar.unsent.me.quiz');
  later.open();
  await settle();
  expect(sent()).toEqual(['a=x']);
  expect(read).toHaveBeenCalled();
});

test('answers from elsewhere are adopted, but replace none that was given meanwhile', async () => {
  const { store, read } = opened(practiceTest);
  store.give('a', 'mine');
  await settle();
  const elsewhere = (answers: QuizSession['answers']) => ({ ...practiceTest, answers });
  read.mockResolvedValueOnce(elsewhere({ a: { answer: 'new', correct: null } }));
  await store.readAgain();
  expect(store.state().answers.a).toMatchObject({ answer: 'new', status: 'saved' });

  const { promise, resolve } = Promise.withResolvers<QuizSession>();
  read.mockReturnValueOnce(promise);
  const reading = store.readAgain();
  store.give('a', 'mine again');
  await settle();
  resolve(
    elsewhere({ a: { answer: 'new', correct: null }, b: { answer: 'other', correct: null } }),
  );
  await reading;
  expect(store.state().answers).toMatchObject({
    a: { answer: 'mine again' },
    b: { answer: 'other' },
  });
});

const failed = (status: number, retryAfterS = 0) =>
  Object.assign(new ApiError(status, 'any', 'any'), { retryAfterS });

test('retries come after 1, 2, 4, 8 and 15 seconds, and then every 15', () => {
  const network = failed(0);
  const waits = [1, 2, 3, 4, 5, 6, 60].map((n) => waitAfter(n, network, () => 0).ms / 1_000);
  expect(waits).toEqual([1, 2, 4, 8, 15, 15, 15]);
});

test('only the service can refuse permanently, not an intermediary', () => {
  for (const status of [403, 404, 409]) {
    expect(mayPass(new ApiError(status, 'quiz_not_found', 'any'))).toBe(false);
    expect(mayPass(new ApiError(status, NOT_OURS, 'Forbidden'))).toBe(true);
  }
});

test('jitter spreads the retries of clients that failed at the same moment', () => {
  expect(waitAfter(1, failed(0), () => 0.5).ms).toBe(1_100);
  expect(waitAfter(5, failed(503), () => 1).ms).toBe(18_000);
});

test('Retry-After is respected, and not shortened', async () => {
  expect(waitAfter(1, failed(429, 60), () => 0)).toEqual({ ms: 60_000, setByService: true });
  // Not shorter than the backoff: a service that always answers 1 does not get a request every second.
  expect(waitAfter(5, failed(503, 1), () => 0)).toEqual({ ms: 15_000, setByService: false });

  vi.useFakeTimers();
  const over = vi.fn<() => void>();
  const wait = startWait({ ms: 60_000, setByService: true });
  void wait.over.then(over);
  wait.hurry();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(over).toHaveBeenCalledOnce();
});

test('hurry ends any other wait', async () => {
  vi.useFakeTimers();
  const wait = startWait({ ms: 15_000, setByService: false });
  wait.hurry();
  await wait.over;
  expect(vi.getTimerCount()).toBe(0);
});

test('a call refused because of the account waits for a person', () => {
  expect(waitAfter(1, failed(401)).ms).toBe(NO_AUTOMATIC_RETRY);
});
