import { useEffect, useRef } from 'react';

/** Specified: how long the result of an answer stands before the quiz goes on, in milliseconds. */
const DELAY = { right: 500, wrong: 1500 };

/** Calls `advance`, with the question it was for, a while after its answer was judged. */
export function useAutoAdvance(
  question: string,
  correct: boolean | null | undefined,
  enabled: boolean,
  advance: (question: string) => void,
) {
  const latest = useRef(advance);
  useEffect(() => {
    latest.current = advance;
  });
  useEffect(() => {
    if (!enabled || correct === null || correct === undefined) return undefined;
    const timer = setTimeout(() => latest.current(question), correct ? DELAY.right : DELAY.wrong);
    return () => clearTimeout(timer);
  }, [question, correct, enabled]);
}
