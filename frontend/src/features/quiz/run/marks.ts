import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { mayPass } from '#lib/api-error.ts';
import { forgetMark, keepMark, type Owner, readUnsent } from '../unsent-answers.ts';
import { startWait, waitAfter } from './answers-store.ts';
import type { RunnableQuiz } from './use-quiz-run.ts';

/**
 * The questions that a learner wants to come back to. A mark is there at once, sent behind, and
 * outlives a reload before it has arrived.
 *
 * @param lastRead what stands by now, if it was read again: it is taken over, but for what was marked
 *   here and has not arrived
 */
export function useMarks(
  session: QuizSession,
  { mark, owner: uid }: RunnableQuiz,
  lastRead: QuizSession | undefined,
) {
  const [{ store, owner }] = useState(() => {
    const whose = { uid, quizId: session.id };
    return { store: createMarksStore(whose), owner: whose };
  });
  const [marked, setMarked] = useState(() => markedIn(session, owner));
  const send = useEffectEvent((uuid: string, isMarked: boolean) => mark?.(uuid, isMarked));
  useEffect(() => store.open(async (...given) => send(...given)), [store]);
  const [known, setKnown] = useState(lastRead);
  if (lastRead && lastRead !== known) {
    setKnown(lastRead);
    setMarked(markedIn(lastRead, owner));
  }
  useEffect(() => {
    if (lastRead) store.hurry();
  }, [lastRead, store]);

  return {
    marked,
    /** Only a practice test is gone through again. */
    takesMarks: mark !== undefined && session.exam !== null,
    toggle(uuid: string) {
      const isMarked = !marked.has(uuid);
      const others = [...marked].filter((other) => other !== uuid);
      setMarked(new Set(isMarked ? [...others, uuid] : others));
      store.keep(uuid, isMarked);
    },
  };
}

/** What stands on the server, but for what this browser has not sent yet. */
function markedIn({ questions }: QuizSession, owner: Owner): Set<string> {
  const { marks } = readUnsent(owner);
  return new Set(questions.flatMap(({ uuid, marked }) => ((marks[uuid] ?? marked) ? [uuid] : [])));
}

type Send = (uuid: string, marked: boolean) => Promise<unknown>;

/**
 * The marks of a quiz and their way to the service, as with its answers: kept until confirmed, one
 * call at a time, sent again by the schedule. Of a question the last one counts, whichever tab made
 * it. What is refused for good is given up.
 */
export function createMarksStore(owner: Owner, random = Math.random) {
  let send: Send | undefined;
  let running = false;
  let wait: ReturnType<typeof startWait> | undefined;

  async function deliver() {
    if (running) return;
    running = true;
    let failures = 0;
    for (;;) {
      const [next] = Object.entries(readUnsent(owner).marks);
      if (!send || !next) break;
      try {
        await send(...next);
        forgetMark(owner, ...next);
        failures = 0;
      } catch (error) {
        if (mayPass(error)) {
          failures += 1;
          wait = startWait(waitAfter(failures, error, random));
          await wait.over;
          wait = undefined;
        } else forgetMark(owner, ...next);
      }
    }
    running = false;
  }

  /** There is reason to believe that it goes now. */
  function hurry() {
    wait?.hurry();
    void deliver();
  }

  return {
    /** Begins, or goes on, to send. @returns what stops it; what is unsent stays kept */
    open(to: Send) {
      send = to;
      void deliver();
      return () => {
        send = undefined;
        wait?.stop();
      };
    },
    keep(uuid: string, marked: boolean) {
      keepMark(owner, uuid, marked);
      hurry();
    },
    hurry,
  };
}
