import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LastRead } from '../answers-store.ts';
import { quizKeys } from '../api.ts';
import { secondsUntil, untilNextSecond } from './countdown.ts';

/**
 * When a practice test ends, by this page's monotonic clock: nobody needs a right one. Undefined for
 * a quiz without a clock. What was read again counts: a clock stands still while a computer sleeps,
 * and another page says nothing of how long it has been open.
 */
export function useTestEnd(session: QuizSession, lastRead: LastRead | undefined) {
  const queryClient = useQueryClient();
  const [endAtEntry] = useState(() => {
    const readAt = queryClient.getQueryState(quizKeys.session(session.id))?.dataUpdatedAt;
    const ageMs = readAt ? Math.max(0, Date.now() - readAt) : 0;
    return endOf({ session, at: performance.now() - ageMs });
  });
  return lastRead ? endOf(lastRead) : endAtEntry;
}

function endOf({ session, at }: LastRead): number | undefined {
  const left = session.exam?.seconds_left;
  return typeof left === 'number' ? at + left * 1000 : undefined;
}

/** Counts down to a time of the monotonic clock. */
export function useSecondsLeft(endsAt: number): number {
  const [now, setNow] = useState(() => performance.now());
  const left = secondsUntil(endsAt, now);
  const isUp = left === 0;
  useEffect(() => {
    if (isUp) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    function tick() {
      const at = performance.now();
      setNow(at);
      clearTimeout(timer);
      timer = setTimeout(tick, untilNextSecond(endsAt, at));
    }
    tick();
    // Timers sleep in the background; whoever comes back sees the time as it is.
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [endsAt, isUp]);
  return left;
}
