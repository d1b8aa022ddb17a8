import type { QuizSession } from '@proveklar/gateway/contract/quiz.ts';
import { useRef, useState } from 'react';
import { mayPass } from '#lib/api-error.ts';
import type { QuizKeeper } from './quiz-keeper.ts';

const markedIn = ({ questions }: QuizSession) =>
  new Set(questions.flatMap(({ uuid, marked }) => (marked ? [uuid] : [])));

/**
 * The questions that a learner wants to come back to. A mark is there at once and sent behind; what
 * did not arrive is sent again with the next one, and when the page is looked at again or the network
 * is back (`sync`).
 */
export function useMarks(session: QuizSession, { mark }: QuizKeeper) {
  const [marked, setMarked] = useState(() => markedIn(session));
  const unsent = useRef(new Map<string, boolean>());
  const running = useRef(false);

  async function deliver() {
    if (running.current || !mark) return;
    running.current = true;
    try {
      for (;;) {
        const [next] = unsent.current;
        if (!next) break;
        const [uuid, isMarked] = next;
        await mark(uuid, isMarked).catch((error: unknown) => {
          if (mayPass(error)) throw error;
        });
        // Changed again meanwhile: the later one follows.
        if (unsent.current.get(uuid) === isMarked) unsent.current.delete(uuid);
      }
    } catch {
      // Kept for the next time.
    } finally {
      running.current = false;
    }
  }

  return {
    marked,
    /** Only a practice test is gone through again. */
    takesMarks: mark !== undefined && session.exam !== null,
    toggle(uuid: string) {
      const isMarked = !marked.has(uuid);
      const others = [...marked].filter((other) => other !== uuid);
      setMarked(new Set(isMarked ? [...others, uuid] : others));
      unsent.current.set(uuid, isMarked);
      void deliver();
    },
    /** Takes over what was just read, but for what was marked here and has not arrived. */
    sync(read: QuizSession) {
      const found = markedIn(read);
      for (const [uuid, isMarked] of unsent.current) {
        if (isMarked) found.add(uuid);
        else found.delete(uuid);
      }
      setMarked(found);
      void deliver();
    },
  };
}

export type Marks = ReturnType<typeof useMarks>;
