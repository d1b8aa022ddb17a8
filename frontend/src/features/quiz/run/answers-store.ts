// Over 400 lines: the states of an answer and of the queue, and everything that moves between them, are one store.
import type { AnswerRequest, AnswerResponse, QuizSession } from '@proveklar/contract/quiz.ts';
import { ApiError, mayPass } from '#lib/api-error.ts';
import { backoff } from '#lib/backoff.ts';
import { throttleEach } from '#lib/throttle.ts';
import {
  forgetAnswer,
  keepAnswer,
  keepHandIn,
  type Owner,
  readUnsent,
  storageKey,
} from '../unsent-answers.ts';

/** The calls of the quiz whose answers these are. */
export type AnswerCalls = {
  /** The uid of the learner whose answers are stored in this browser until they are acknowledged. */
  owner: string;
  answer: (given: AnswerRequest) => Promise<AnswerResponse>;
  /** Reads the quiz, which another tab or device may have continued. */
  read?: () => Promise<QuizSession>;
  /** Navigates to the result when the quiz turns out to be closed. */
  showOutcome: () => Promise<void>;
};

type GivenAnswer = {
  answer: string;
  /** sending: a request is under way. waiting: stored here until the service accepts it. */
  status: 'sending' | 'waiting' | 'saved';
  /** The server's answer; without right or wrong until the quiz may show it. */
  result?: Omit<AnswerResponse, 'score' | 'answer'>;
  /** Whether it was given on this page, not restored: only then does the quiz advance automatically. */
  fresh: boolean;
};

export type DeliveryFailure = {
  error: unknown;
  /** In a row. */
  failures: number;
  /** The service set the time of the next attempt (`Retry-After`), which nothing shortens. */
  setByService: boolean;
  /** There is no automatic retry; a person must do something. */
  stopped: boolean;
};

/** A quiz as last read, and when the read began and ended, by the page's monotonic clock. */
export type LastRead = { session: QuizSession; began: number; at: number };

type AnswersState = {
  answers: Record<string, GivenAnswer>;
  /** Why answers cannot be sent at the moment. */
  problem?: DeliveryFailure | undefined;
  /** The error of an answer that was given up, because no retry would help. */
  refusal?: unknown;
  /** Whether it is handed in once all answers have arrived. */
  handingIn: boolean;
  lastRead?: LastRead;
};

/** idle: nothing to send, or the page was left. waiting: for the next attempt. closed: the quiz is over. */
type Delivery =
  | { name: 'idle' | 'sending' | 'closed' }
  | { name: 'waiting'; wait: ReturnType<typeof startWait> };

/** A request that takes longer is shown as waiting, and no longer blocks the quiz. */
export const SLOW_MS = 4_000;

/**
 * The answers of a quiz and their delivery: stored in this browser until acknowledged, sent one at a time,
 * and retried with a backoff, or at once when a retry is likely to succeed (`hurry`). An answer that the
 * service refuses permanently is given up. A quiz that is over takes no more answers.
 */
export function createAnswersStore(session: QuizSession, calls: AnswerCalls, random = Math.random) {
  const owner: Owner = { uid: calls.owner, quizId: session.id };
  const isTest = session.exam !== null;
  let state: AnswersState = { answers: restore(session, owner), handingIn: false };
  const listeners = new Set<() => void>();
  /** A counter of changes, with the number of each answer's last one: a read that began earlier is stale. */
  let changes = 0;
  const lastChange = new Map<string, number>();
  /** Whether the page is open: otherwise nothing is sent. */
  let isOpen = false;
  let delivery: Delivery = { name: 'idle' };
  let handIn: { end: () => Promise<unknown>; done: (refused?: string) => void } | undefined;

  const isClosed = () => delivery.name === 'closed';

  function update(change: Partial<AnswersState>) {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  function set(uuid: string, given: GivenAnswer | undefined) {
    lastChange.set(uuid, (changes += 1));
    const { [uuid]: _, ...others } = state.answers;
    update({ answers: given ? { ...others, [uuid]: given } : others });
  }

  /**
   * Takes an answer. In a drill, an earlier answer from another tab is kept.
   *
   * @param shownMs how long the question was shown before it; left out where that is unknown
   */
  function give(uuid: string, answer: string, shownMs?: number) {
    const first = isTest ? undefined : readUnsent(owner).answers[uuid];
    if (first === undefined) keepAnswer(owner, uuid, answer, shownMs);
    const isWaiting = Object.values(state.answers).some((given) => given.status === 'waiting');
    const status = isWaiting ? 'waiting' : 'sending';
    update({ refusal: undefined });
    set(uuid, { answer: first ?? answer, status, fresh: first === undefined });
    hurry();
    void deliver();
  }

  /**
   * Hands in once all answers have arrived, however long that takes.
   *
   * @returns resolves when it is done or refused, with the question whose answer was refused, if that is why
   */
  function handInWith(end: () => Promise<unknown>): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    handIn = { end, done: resolve };
    keepHandIn(owner, true);
    update({ handingIn: true, refusal: undefined });
    hurry();
    void deliver();
    return promise;
  }

  /** Starts or resumes sending. @returns a function that stops it; unsent answers stay stored */
  function open() {
    isOpen = true;
    void deliver();
    return () => {
      isOpen = false;
      if (delivery.name === 'waiting') delivery.wait.stop();
    };
  }

  /** Retries at once, because that is likely to succeed now. */
  function hurry() {
    if (delivery.name === 'waiting') delivery.wait.hurry();
  }

  async function deliver() {
    if (delivery.name !== 'idle') return;
    for (;;) {
      const uuid = Object.keys(state.answers).find((of) => state.answers[of]?.status !== 'saved');
      if (!isOpen || isClosed() || (uuid === undefined && !handIn)) break;
      delivery = { name: 'sending' };
      try {
        await (uuid === undefined ? finishUp() : sendOne(uuid));
        if (state.problem) update({ problem: undefined });
      } catch (error) {
        const failures = (state.problem?.failures ?? 0) + 1;
        const next = waitAfter(failures, error, random);
        markWaiting();
        const stopped = next.ms === NO_AUTOMATIC_RETRY;
        update({ problem: { error, failures, setByService: next.setByService, stopped } });
        if (!isOpen || isClosed()) break;
        delivery = { name: 'waiting', wait: startWait(next) };
        await delivery.wait.over;
      }
    }
    if (!isClosed()) delivery = { name: 'idle' };
  }

  async function sendOne(uuid: string) {
    const mine = state.answers[uuid];
    if (!mine) return;
    const unsent = readUnsent(owner);
    const kept = unsent.answers[uuid];
    const shownMs = unsent.shownMs[uuid];
    if (isTest && kept === undefined && !mine.fresh) {
      // Another tab has sent it, so the quiz must be read again.
      set(uuid, undefined);
      void readAgain();
      return;
    }
    // Another tab may have made the last choice.
    const answer = (isTest ? kept : undefined) ?? mine.answer;
    if (answer !== mine.answer) set(uuid, { answer, status: 'waiting', fresh: false });
    const slow = setTimeout(markWaiting, SLOW_MS);
    try {
      const response = await calls.answer({
        question_id: uuid,
        answer,
        ...(answer === kept && shownMs !== undefined && { shown_ms: shownMs }),
      });
      const { score: _, answer: stands = answer, ...result } = response;
      forgetAnswer(owner, uuid, isTest ? answer : undefined);
      // Changed meanwhile: the later choice is sent next.
      if (state.answers[uuid]?.answer !== answer) return;
      const fresh = mine.fresh && stands === answer;
      set(uuid, { answer: stands, status: 'saved', result, fresh });
    } catch (error) {
      if (mayPass(error)) throw error;
      if (error instanceof ApiError && error.code === 'quiz_closed') return close();
      forgetAnswer(owner, uuid, answer);
      if (state.answers[uuid]?.answer !== answer) return;
      set(uuid, undefined);
      update({ refusal: error });
      stopHandIn(uuid);
    } finally {
      clearTimeout(slow);
    }
  }

  /** Marks the answers being sent as waiting. */
  function markWaiting() {
    const answers = Object.fromEntries(
      Object.entries(state.answers).map(([uuid, given]) => [
        uuid,
        given.status === 'sending' ? ({ ...given, status: 'waiting' } as const) : given,
      ]),
    );
    update({ answers });
  }

  async function finishUp() {
    try {
      await handIn?.end();
      delivery = { name: 'closed' };
    } catch (error) {
      if (mayPass(error)) throw error;
    }
    stopHandIn();
  }

  function stopHandIn(refused?: string) {
    if (!handIn) return;
    keepHandIn(owner, false);
    const { done } = handIn;
    handIn = undefined;
    update({ handingIn: false });
    done(refused);
  }

  function close() {
    if (delivery.name === 'waiting') delivery.wait.stop();
    delivery = { name: 'closed' };
    if (isOpen) void calls.showOutcome();
  }

  /** Adopts the unsent answers of other tabs. */
  function adopt() {
    for (const [uuid, answer] of Object.entries(readUnsent(owner).answers)) {
      const mine = state.answers[uuid];
      if (!mine || (isTest && mine.answer !== answer)) {
        set(uuid, { answer, status: 'waiting', fresh: false });
      }
    }
    void deliver();
  }

  /** Reads the quiz and adopts its answers, except for those changed here meanwhile. */
  async function readAgain() {
    const before = changes;
    const began = performance.now();
    // After a failure, the next read will do.
    const found = await calls.read?.().catch(() => undefined);
    if (!found) return;
    update({ lastRead: { session: found, began, at: performance.now() } });
    if (isOpen && !isClosed()) merge(found, before);
  }

  /** Adopts the server's answers, except where a later one waits here. */
  function merge(read: QuizSession, before: number) {
    if (read.state !== 'open') return close();
    for (const { uuid } of session.questions) {
      if ((lastChange.get(uuid) ?? 0) > before) continue;
      const mine = state.answers[uuid];
      const stands = standing(read, uuid);
      if (!stands || (mine && mine.status !== 'saved' && isTest)) continue;
      if (!isTest) forgetAnswer(owner, uuid);
      if (mine?.status !== 'saved' || mine.answer !== stands.answer) set(uuid, stands);
    }
    return undefined;
  }

  function subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  return {
    owner,
    state: () => state,
    subscribe,
    open,
    give,
    handIn: handInWith,
    hurry,
    adopt,
    readAgain,
  };
}

function restore(session: QuizSession, owner: Owner): AnswersState['answers'] {
  const given: AnswersState['answers'] = {};
  const kept = readUnsent(owner).answers;
  for (const { uuid } of session.questions) {
    const stands = standing(session, uuid);
    if (stands) given[uuid] = stands;
    const unsent = kept[uuid];
    if (unsent === undefined) continue;
    // In a drill the first answer is final, whether it arrived unacknowledged or was given elsewhere.
    if (stands && !session.exam) forgetAnswer(owner, uuid);
    else given[uuid] = { answer: unsent, status: 'waiting', fresh: false };
  }
  return given;
}

/** The answer on the server. */
function standing(session: QuizSession, uuid: string): GivenAnswer | undefined {
  const found = session.answers[uuid];
  if (!found?.answer) return undefined;
  const { answer, ...result } = found;
  return { answer, status: 'saved', result, fresh: false };
}

/**
 * 1, 2, 4, 8 s, then every 15 s. With jitter, because all clients of a failed gateway fail at the same
 * moment, and must not retry at the same moment.
 */
const RETRY = { min: 1_000, max: 15_000, jitter: [1, 1.2] } as const;

/** Waits until a person signs in again, or is enabled again. */
export const NO_AUTOMATIC_RETRY = Infinity;

type Wait = {
  /** In milliseconds, or `NO_AUTOMATIC_RETRY`. */
  ms: number;
  /** Set by the service's `Retry-After`: nothing shortens it. */
  setByService: boolean;
};

/**
 * How long to wait after this number of failures in a row. `Retry-After` is respected; a call that the
 * service refuses because of the account is not retried automatically.
 */
export function waitAfter(failures: number, error: unknown, random = Math.random): Wait {
  if (error instanceof ApiError && error.status === 401)
    return { ms: NO_AUTOMATIC_RETRY, setByService: false };
  const ms = backoff(failures - 1, { ...RETRY, random });
  const retryAfterMs = error instanceof ApiError ? (error.retryAfterS ?? 0) * 1_000 : 0;
  return retryAfterMs > ms ? { ms: retryAfterMs, setByService: true } : { ms, setByService: false };
}

/** A wait that can be ended. */
export function startWait({ ms, setByService }: Wait): {
  over: Promise<void>;
  /** Ends it, unless the service has set the time. */
  hurry: () => void;
  /** Ends it in any case. */
  stop: () => void;
} {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = ms === NO_AUTOMATIC_RETRY ? undefined : setTimeout(resolve, ms);
  function stop() {
    clearTimeout(timer);
    resolve();
  }
  return { over: promise, hurry: () => !setByService && stop(), stop };
}

/** By then, an answer given in another tab has usually arrived. */
const DEBOUNCE_MS = 1_000;
const THROTTLE_MS = 1_000;

/**
 * Keeps the tabs of a quiz in sync. A `storage` event shows that another tab has stored or sent an answer; as
 * with live updates it is a hint to read again, so a lost one does no harm. The quiz is also read when the
 * page gets the focus or the network is back, because another device may have continued it.
 *
 * @returns a function that ends it
 */
export function followOtherTabs(store: ReturnType<typeof createAnswersStore>): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function onStorage({ key }: StorageEvent) {
    if (key !== storageKey(store.owner)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      store.adopt();
      void store.readAgain();
    }, DEBOUNCE_MS);
  }
  const onReturn = throttleEach(THROTTLE_MS, () => {
    if (signal.aborted || document.hidden) return;
    store.hurry();
    void store.readAgain();
  });
  window.addEventListener('storage', onStorage, { signal });
  for (const name of ['online', 'focus']) {
    window.addEventListener(name, () => onReturn(undefined), { signal });
  }
  document.addEventListener('visibilitychange', () => onReturn(undefined), { signal });
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}
