import { useEffect, useRef } from 'react';

/** Specified: how long the result of an answer stands before the quiz goes on, in milliseconds. */
const DELAY = { right: 500, wrong: 1500 };

/** Calls `advance` a while after an answer was judged; not while `held` or switched off. */
export function useAutoAdvance(
  question: string,
  correct: boolean | null | undefined,
  enabled: boolean,
  advance: () => void,
) {
  const latest = useRef(advance);
  useEffect(() => {
    latest.current = advance;
  });
  useEffect(() => {
    if (!enabled || correct === null || correct === undefined) return;
    const timer = setTimeout(() => latest.current(), correct ? DELAY.right : DELAY.wrong);
    return () => clearTimeout(timer);
  }, [question, correct, enabled]);
}
