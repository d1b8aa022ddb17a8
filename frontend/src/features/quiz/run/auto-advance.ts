import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useStored } from '#lib/use-stored.ts';

/** Specified: how long the result of an answer stands before the quiz goes on, in milliseconds. */
const DELAY = { right: 500, wrong: 1500 };

/** As far, in pixels, a hand on the mouse moves by itself. */
const STILL = 40;

/**
 * Calls `advance`, with the question it was for, a while after its answer was judged. Whoever does
 * anything meanwhile is busy with this question: `hold` is called instead, and it goes on by hand.
 * The mouse counts after a wrong answer only: after a right one it is on its way to the next.
 */
export function useAutoAdvance(
  question: string,
  correct: boolean | null | undefined,
  enabled: boolean,
  { advance, hold }: Record<'advance' | 'hold', (question: string) => void>,
) {
  const latest = useRef({ advance, hold });
  useEffect(() => {
    latest.current = { advance, hold };
  });
  useEffect(() => {
    if (!enabled || correct === null || correct === undefined) return undefined;
    const stop = new AbortController();
    const delay = correct ? DELAY.right : DELAY.wrong;
    const timer = setTimeout(() => latest.current.advance(question), delay);

    function onActivity() {
      clearTimeout(timer);
      stop.abort();
      latest.current.hold(question);
    }
    let from: PointerEvent | undefined;
    function onMove(event: PointerEvent) {
      from ??= event;
      if (Math.hypot(event.x - from.x, event.y - from.y) > STILL) onActivity();
    }
    // Not `scroll`: the page does that by itself, to bring the explanation into sight.
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
 * What a question that came automatically refuses at first. After a judgement: everything, so that a correction
 * of the answer before, made a little too late, is not taken for an answer. Where the next question comes at
 * once: the mouse or finger that has just chosen, because half of a double tap was not meant for it.
 */
export interface Guard {
  question: string;
  against: 'everything' | 'pointer';
}

const GUARD_MS = { everything: 600, pointer: 300 };

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

/**
 * How to get time to read is told once in a browser: on the question that first took the place of
 * an explanation.
 */
export function useReadingHint() {
  const [told, setTold] = useStored('proveklar.reading-hint', ['told'], '');
  const [hinted, setHinted] = useState<string>();
  return {
    hinted,
    /** @param next the question that comes now */
    tell(next: string) {
      if (told === 'told') return;
      setTold('told');
      setHinted(next);
    },
  };
}
