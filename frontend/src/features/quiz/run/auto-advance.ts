import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useStored } from '#lib/use-stored.ts';
import { useAccountChoice } from '../learning/account-choice.ts';
import { useChangePlan } from '../learning/api.ts';

/** Specified: how long the feedback on an answer is shown before the quiz advances. */
const ADVANCE_DELAY_MS = { right: 500, wrong: 1500 };

/** In pixels; a hand resting on the mouse moves it less. */
const MIN_MOVEMENT = 40;

/**
 * Calls `advance` with the question a while after its answer was checked. Any activity meanwhile means that
 * the learner is busy with the question: then `hold` is called instead, and the learner advances by hand.
 * Mouse movement counts only after a wrong answer: after a right one the mouse moves to the next question.
 */
export function useAutoAdvance(
  question: string,
  correct: boolean | null | undefined,
  enabled: boolean,
  { advance, hold }: Record<'advance' | 'hold', (question: string) => void>,
) {
  const goOn = useEffectEvent((from: string) => advance(from));
  const stay = useEffectEvent((at: string) => hold(at));
  useEffect(() => {
    if (!enabled || correct === null || correct === undefined) return undefined;
    const stop = new AbortController();
    const delay = correct ? ADVANCE_DELAY_MS.right : ADVANCE_DELAY_MS.wrong;
    const timer = setTimeout(() => goOn(question), delay);

    function onActivity() {
      clearTimeout(timer);
      stop.abort();
      stay(question);
    }
    let from: PointerEvent | undefined;
    function onMove(event: PointerEvent) {
      from ??= event;
      if (Math.hypot(event.x - from.x, event.y - from.y) > MIN_MOVEMENT) onActivity();
    }
    // Not `scroll`: the page scrolls, too, to bring the explanation into sight.
    const listening = { capture: true, passive: true, signal: stop.signal } as const;
    for (const name of ['pointerdown', 'wheel', 'touchmove', 'keydown']) {
      window.addEventListener(name, onActivity, listening);
    }
    if (!correct) window.addEventListener('pointermove', onMove, listening);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [question, correct, enabled]);
}

/**
 * What a question refuses at first after an automatic advance. After feedback: everything, so that a late
 * correction of the previous answer does not answer it. After an immediate advance: the pointer that has just
 * chosen, because the second tap of a double tap is not meant for it.
 */
export interface Guard {
  question: string;
  against: 'everything' | 'pointer';
}

const GUARD_MS = { everything: 600, pointer: 300 };

/**
 * How long a tap on "next" is refused after an immediate advance: it is of a learner who is used to tapping it after each
 * answer, and would skip a question.
 */
export const NEXT_GUARD_MS = 1_000;

/** The question that is guarded, if any; each guard ends after its time. */
export function useGuard() {
  const [guard, setGuard] = useState<Guard>();
  const lift = useEffectEvent(() => setGuard(undefined));
  useEffect(() => {
    if (!guard) return undefined;
    const timer = setTimeout(() => lift(), GUARD_MS[guard.against]);
    return () => clearTimeout(timer);
  }, [guard]);
  return [guard, setGuard] as const;
}

const CHOICES = ['on', 'off'] as const;

/** Whether a quiz advances automatically after an answer. */
export interface AutoAdvance {
  on: boolean;
  /** Otherwise the learner is asked at their first wrong answer. */
  isChosen: boolean;
  choose: (on: boolean) => void;
}

/** The choice of a browser: for the free sample, and for quizzes that show no feedback. */
export function useBrowserAutoAdvance(key: string, byDefault: 'on' | 'off'): AutoAdvance {
  const [stored, store] = useStored(key, CHOICES, byDefault);
  return { on: stored === 'on', isChosen: true, choose: (on) => store(on ? 'on' : 'off') };
}

/** The choice of an account, for quizzes with feedback. On until it is made, as specified. */
export function useAccountAutoAdvance(session: QuizSession, owner: string): AutoAdvance {
  const { mutateAsync } = useChangePlan();
  // A gateway of the previous version has no choice.
  const { auto_advance: atFirst = null } = session as Partial<QuizSession>;
  const [saved, setSaved] = useState(atFirst);
  const { value, choose } = useAccountChoice({
    key: 'proveklar.auto-advance',
    uid: owner,
    allowed: CHOICES,
    current: saved === null ? null : saved ? 'on' : 'off',
    async send(chosen) {
      const auto_advance = chosen === 'on';
      await mutateAsync({ auto_advance });
      setSaved(auto_advance);
    },
  });
  return {
    on: value !== 'off',
    isChosen: value !== undefined,
    choose: (on) => choose(on ? 'on' : 'off'),
  };
}
