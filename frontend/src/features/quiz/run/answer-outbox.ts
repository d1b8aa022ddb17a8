import type { AnswerRequest, AnswerResponse, QuizSession } from '@proveklar/contract/quiz.ts';
import { ApiError, mayPass } from '#lib/api-error.ts';
import { NOT_BY_ITSELF, startWait, waitAfter } from './retry-schedule.ts';
import { forgetAnswer, keepAnswer, keepHandIn, type Owner, readUnsent } from './unsent-answers.ts';

export type GivenAnswer = {
  answer: string;
  /** sending: on its way, which is a moment. waiting: kept here until the service takes it. */
  status: 'sending' | 'waiting' | 'saved';
  /** What the server told about it; nothing about right and wrong until that may be known. */
  result?: Omit<AnswerResponse, 'score' | 'answer'>;
  /** Given on this screen, not restored: only then does a quiz go on by itself. */
  fresh: boolean;
};

export type GivenAnswers = Record<string, GivenAnswer>;

export type DeliveryFailure = {
  error: unknown;
  /** In a row. */
  failures: number;
  /** The service named the time of the next try: nothing shortens it. */
  told: boolean;
  /** There is no next try until a person does something. */
  stopped: boolean;
};

export type OutboxState = {
  answers: GivenAnswers;
  /** Why nothing arrives at the moment. */
  problem?: DeliveryFailure | undefined;
  /** Why an answer was given up: no other try would mend it. */
  refusal?: unknown;
  /** It is handed in once everything has arrived. */
  handingIn: boolean;
};

/** Where the answers go. */
export type OutboxLink = {
  post: (given: AnswerRequest) => Promise<AnswerResponse>;
  /** The quiz was found closed. */
  onClosed: () => void;
  /** Another tab has sent an answer that was kept here: what stands is to be read again. */
  onStale: () => void;
};

/** What takes longer is told as waiting, and nobody has to wait for it. */
export const SLOW_MS = 4_000;

function restore(session: QuizSession, owner: Owner): GivenAnswers {
  const given: GivenAnswers = {};
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
 * The answers of a quiz and their way to the service: one call at a time, kept until confirmed, sent
 * again by the schedule, and at once when there is reason to believe that it goes now (`hurry`). An
 * answer that the service refuses for good is given up. A quiz that is over takes no more.
 */
export function createAnswerOutbox(session: QuizSession, owner: Owner, random = Math.random) {
  const isTest = session.exam !== null;
  let state: OutboxState = { answers: restore(session, owner), handingIn: false };
  const listeners = new Set<() => void>();
  /** Counts the changes, and which was each answer's last: what was read before it is out of date. */
  let changes = 0;
  const lastChange = new Map<string, number>();
  let link: OutboxLink | undefined;
  let isOver = false;
  let running = false;
  let wait: ReturnType<typeof startWait> | undefined;
  let handIn: { end: () => Promise<unknown>; done: (refused?: string) => void } | undefined;

  function update(change: Partial<OutboxState>) {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  function set(uuid: string, given: GivenAnswer | undefined) {
    lastChange.set(uuid, (changes += 1));
    const { [uuid]: _, ...others } = state.answers;
    update({ answers: given ? { ...others, [uuid]: given } : others });
  }

  const nextUnsent = () =>
    Object.keys(state.answers).find((uuid) => state.answers[uuid]?.status !== 'saved');

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

  async function sendOne(uuid: string, { post, onStale }: OutboxLink) {
    const mine = state.answers[uuid];
    if (!mine) return;
    const kept = readUnsent(owner).answers[uuid];
    if (isTest && kept === undefined && !mine.fresh) {
      set(uuid, undefined);
      onStale();
      return;
    }
    // The last choice may have been made in another tab.
    const answer = (isTest ? kept : undefined) ?? mine.answer;
    if (answer !== mine.answer) set(uuid, { answer, status: 'waiting', fresh: false });
    const slow = setTimeout(markWaiting, SLOW_MS);
    try {
      const told = await post({ question_id: uuid, answer });
      const { score: _, answer: stands = answer, ...result } = told;
      forgetAnswer(owner, uuid, isTest ? answer : undefined);
      // Changed again meanwhile: the later choice follows.
      if (state.answers[uuid]?.answer !== answer) return;
      const fresh = mine.fresh && stands === answer;
      set(uuid, { answer: stands, status: 'saved', result, fresh });
    } catch (error) {
      if (mayPass(error)) throw error;
      if (error instanceof ApiError && error.code === 'quiz_closed') return over();
      forgetAnswer(owner, uuid, answer);
      if (state.answers[uuid]?.answer !== answer) return;
      set(uuid, undefined);
      update({ refusal: error });
      stopHandIn(uuid);
    } finally {
      clearTimeout(slow);
    }
  }

  async function finishUp() {
    try {
      await handIn?.end();
      isOver = true;
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

  function over() {
    isOver = true;
    link?.onClosed();
  }

  async function deliver() {
    if (running || isOver) return;
    running = true;
    for (;;) {
      const uuid = nextUnsent();
      if (!link || isOver || (uuid === undefined && !handIn)) break;
      try {
        await (uuid === undefined ? finishUp() : sendOne(uuid, link));
        if (state.problem) update({ problem: undefined });
      } catch (error) {
        const failures = (state.problem?.failures ?? 0) + 1;
        const next = waitAfter(failures, error, random);
        markWaiting();
        const stopped = next.ms === NOT_BY_ITSELF;
        update({ problem: { error, failures, told: next.told, stopped } });
        if (!link) break;
        wait = startWait(next);
        await wait.over;
        wait = undefined;
      }
    }
    running = false;
  }

  /** Takes over what stands on the server, where nothing later waits here. */
  function merge(read: QuizSession, before: number) {
    if (read.state !== 'open') return over();
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

  /** Begins, or goes on, to send. @returns what stops it; what is unsent stays kept */
  function open(to: OutboxLink) {
    link = to;
    void deliver();
    return () => {
      link = undefined;
      wait?.stop();
    };
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

  /** There is reason to believe that it goes now. */
  const hurry = () => wait?.hurry();

  /** Reads what stands and takes it over, but for what was given here while it was read. */
  async function readAgain(read: () => Promise<QuizSession>) {
    const before = changes;
    const found = await read();
    if (link && !isOver) merge(found, before);
  }

  function subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  return {
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
