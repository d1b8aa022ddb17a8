import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { mayPass } from '#lib/api-error.ts';
import { forgetMark, keepMark, type Owner, readUnsent } from '../unsent-answers.ts';
import { type LastRead, startWait, waitAfter } from './answers-store.ts';
import type { RunnableQuiz } from './use-quiz-run.ts';

/**
 * The questions that a learner has marked. A mark is shown at once, sent in the background, and survives a
 * reload before it is acknowledged.
 *
 * @param lastRead the quiz, if it was read again: its marks are adopted, except for those of this browser
 *   that the read may not have
 */
export function useMarks(
  session: QuizSession,
  { mark, owner: uid }: RunnableQuiz,
  lastRead: LastRead | undefined,
) {
  const [store] = useState(() => createMarksStore({ uid, quizId: session.id }));
  const [marked, setMarked] = useState(() => store.markedIn({ session, began: Infinity }));
  const send = useEffectEvent((uuid: string, isMarked: boolean) => mark?.(uuid, isMarked));
  useEffect(() => store.open(async (...given) => send(...given)), [store]);
  const [known, setKnown] = useState(lastRead);
  if (lastRead && lastRead !== known) {
    setKnown(lastRead);
    setMarked(store.markedIn(lastRead));
  }
  useEffect(() => {
    if (lastRead) store.hurry();
  }, [lastRead, store]);

  return {
    marked,
    /** Only questions of a practice test can be marked. */
    takesMarks: mark !== undefined && session.exam !== null,
    toggle(uuid: string) {
      const isMarked = !marked.has(uuid);
      const others = [...marked].filter((other) => other !== uuid);
      setMarked(new Set(isMarked ? [...others, uuid] : others));
      store.keep(uuid, isMarked);
    },
  };
}

type Send = (uuid: string, marked: boolean) => Promise<unknown>;

/**
 * The marks of a quiz and their delivery, as with answers: stored until acknowledged, sent one at a time,
 * and retried with a backoff. The last change of a question's mark wins, whichever tab made it. A permanently
 * refused mark is given up.
 */
export function createMarksStore(owner: Owner, random = Math.random) {
  let send: Send | undefined;
  let running = false;
  let wait: ReturnType<typeof startWait> | undefined;
  /** The last delivery of each question's mark: a read that began earlier may not have it. */
  const delivered = new Map<string, { marked: boolean; at: number }>();

  async function deliver() {
    if (running) return;
    running = true;
    let failures = 0;
    for (;;) {
      const [next] = Object.entries(readUnsent(owner).marks);
      if (!send || !next) break;
      try {
        await send(...next);
        delivered.set(next[0], { marked: next[1], at: performance.now() });
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

  /** Retries at once, because that is likely to succeed now. */
  function hurry() {
    wait?.hurry();
    void deliver();
  }

  return {
    /** Starts or resumes sending. @returns a function that stops it; unsent marks stay stored */
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
    /** The marked questions of a read, with the changes of this browser that the read may not have. */
    markedIn({ session, began }: Pick<LastRead, 'session' | 'began'>): Set<string> {
      const unsent = readUnsent(owner).marks;
      const isMarked = ({ uuid, marked }: QuizSession['questions'][number]) => {
        const sent = delivered.get(uuid);
        return unsent[uuid] ?? (sent && sent.at >= began ? sent.marked : marked);
      };
      return new Set(session.questions.filter(isMarked).map(({ uuid }) => uuid));
    },
  };
}
