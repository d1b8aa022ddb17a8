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
  /** Whose answers are remembered in this browser until they are confirmed. */
  owner: string;
  answer: (given: AnswerRequest) => Promise<AnswerResponse>;
  /** Where it stands, for a quiz that another tab or device may go on with. */
  read?: () => Promise<QuizSession>;
  /** Where to go when the quiz is found closed. */
  showOutcome: () => Promise<void>;
};

type GivenAnswer = {
  answer: string;
  /** sending: on its way, which is a moment. waiting: kept here until the service takes it. */
  status: 'sending' | 'waiting' | 'saved';
  /** What the server told about it; nothing about right and wrong until that may be known. */
  result?: Omit<AnswerResponse, 'score' | 'answer'>;
  /** Given on this screen, not restored: only then does a quiz advance automatically. */
  fresh: boolean;
};

export type DeliveryFailure = {
  error: unknown;
  /** In a row. */
  failures: number;
  /** The service named the time of the next try: nothing shortens it. */
  told: boolean;
  /** There is no next try until a person does something. */
  stopped: boolean;
};

/** A quiz as it was read again, and when, by the page's monotonic clock. */
export type LastRead = { session: QuizSession; at: number };

type AnswersState = {
  answers: Record<string, GivenAnswer>;
  /** Why nothing arrives at the moment. */
  problem?: DeliveryFailure | undefined;
  /** Why an answer was given up: no other try would mend it. */
  refusal?: unknown;
  /** It is handed in once everything has arrived. */
  handingIn: boolean;
  lastRead?: LastRead;
};

/** idle: nothing is to be sent, or the page was left. waiting: for the next try. closed: the quiz is over. */
type Delivery =
  | { name: 'idle' | 'sending' | 'closed' }
  | { name: 'waiting'; wait: ReturnType<typeof startWait> };

/** An answer that takes longer is told as waiting, and holds up nothing. */
export const SLOW_MS = 4_000;

/**
 * The answers of a quiz and their way to the service: kept in this browser until confirmed, one call at a
 * time, sent again by the schedule, and at once when there is reason to believe that it goes now
 * (`hurry`). An answer that the service refuses for good is given up. A quiz that is over takes no more.
 */
export function createAnswersStore(session: QuizSession, calls: AnswerCalls, random = Math.random) {
  const owner: Owner = { uid: calls.owner, quizId: session.id };
  const isTest = session.exam !== null;
  let state: AnswersState = { answers: restore(session, owner), handingIn: false };
  const listeners = new Set<() => void>();
  /** Counts the changes, and which was each answer's last: what was read before it is out of date. */
  let changes = 0;
  const lastChange = new Map<string, number>();
  /** Whether the page is there: without it nothing is sent. */
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

  /** Takes an answer. In a drill one that another tab took first stands. */
  function give(uuid: string, answer: string) {
    const first = isTest ? undefined : readUnsent(owner).answers[uuid];
    if (first === undefined) keepAnswer(owner, uuid, answer);
    const isWaiting = Object.values(state.answers).some((given) => given.status === 'waiting');
    const status = isWaiting ? 'waiting' : 'sending';
    update({ refusal: undefined });
    set(uuid, { answer: first ?? answer, status, fresh: first === undefined });
    hurry();
    void deliver();
  }

  /**
   * Hands in once everything has arrived, however long that takes.
   *
   * @returns when it is done or was refused; the question whose answer was refused, if that is why
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

  /** Begins, or goes on, to send. @returns what stops it; what is unsent stays kept */
  function open() {
    isOpen = true;
    void deliver();
    return () => {
      isOpen = false;
      if (delivery.name === 'waiting') delivery.wait.stop();
    };
  }

  /** There is reason to believe that it goes now. */
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
        update({ problem: { error, failures, told: next.told, stopped } });
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
    const kept = readUnsent(owner).answers[uuid];
    if (isTest && kept === undefined && !mine.fresh) {
      // Another tab has sent it: what stands is to be read again.
      set(uuid, undefined);
      void readAgain();
      return;
    }
    // The last choice may have been made in another tab.
    const answer = (isTest ? kept : undefined) ?? mine.answer;
    if (answer !== mine.answer) set(uuid, { answer, status: 'waiting', fresh: false });
    const slow = setTimeout(markWaiting, SLOW_MS);
    try {
      const told = await calls.answer({ question_id: uuid, answer });
      const { score: _, answer: stands = answer, ...result } = told;
      forgetAnswer(owner, uuid, isTest ? answer : undefined);
      // Changed again meanwhile: the later choice follows.
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

  /** Those on their way wait from now on. */
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

  /** Takes over what another tab has given and not sent yet. */
  function adopt() {
    for (const [uuid, answer] of Object.entries(readUnsent(owner).answers)) {
      const mine = state.answers[uuid];
      if (!mine || (isTest && mine.answer !== answer)) {
        set(uuid, { answer, status: 'waiting', fresh: false });
      }
    }
    void deliver();
  }

  /** Reads what stands and takes it over, but for what was given here while it was read. */
  async function readAgain() {
    const before = changes;
    // What cannot be read now is read the next time.
    const found = await calls.read?.().catch(() => undefined);
    if (!found) return;
    update({ lastRead: { session: found, at: performance.now() } });
    if (isOpen && !isClosed()) merge(found, before);
  }

  /** Takes over what stands on the server, where nothing later waits here. */
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
    // In a drill the first is final: what arrived unconfirmed, or was given elsewhere, stands.
    if (stands && !session.exam) forgetAnswer(owner, uuid);
    else given[uuid] = { answer: unsent, status: 'waiting', fresh: false };
  }
  return given;
}

/** The answer that the service has. */
function standing(session: QuizSession, uuid: string): GivenAnswer | undefined {
  const found = session.answers[uuid];
  if (!found?.answer) return undefined;
  const { answer, ...result } = found;
  return { answer, status: 'saved', result, fresh: false };
}

/**
 * 1, 2, 4, 8 s, then every 15. Jitter: all clients of a gateway that fell meet the failure at once, and
 * had better not come back so.
 */
const RETRY = { min: 1_000, max: 15_000, jitter: [1, 1.2] } as const;

/** Until a person does something: signs in again, or is let in again. */
export const NO_AUTOMATIC_RETRY = Infinity;

type Wait = {
  /** In milliseconds, or `NO_AUTOMATIC_RETRY`. */
  ms: number;
  /** The service named the time: nothing shortens it. */
  told: boolean;
};

/**
 * How long to wait after this number of failures in a row. `Retry-After` is respected; a call that the
 * service refuses because of the account is not retried automatically.
 */
export function waitAfter(failures: number, error: unknown, random = Math.random): Wait {
  if (error instanceof ApiError && error.status === 401)
    return { ms: NO_AUTOMATIC_RETRY, told: false };
  const ms = backoff(failures - 1, { ...RETRY, random });
  const told = error instanceof ApiError ? (error.retryAfterS ?? 0) * 1_000 : 0;
  return told > ms ? { ms: told, told: true } : { ms, told: false };
}

/** A wait that can be ended. */
export function startWait({ ms, told }: Wait): {
  over: Promise<void>;
  /** Ends it, unless the service named the time. */
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
  return { over: promise, hurry: () => !told && stop(), stop };
}

/** Mostly an answer that another tab has taken has also arrived by then. */
const DEBOUNCE_MS = 1_000;
const THROTTLE_MS = 1_000;

/**
 * Keeps the tabs of one quiz in step. What a tab keeps until it is confirmed is seen by the others
 * (`storage`); as with live updates that is a hint to read again, so that it does not matter whether
 * one gets lost. When the page is looked at again, or the network is back, another device may have
 * gone on.
 *
 * @returns what ends it
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
