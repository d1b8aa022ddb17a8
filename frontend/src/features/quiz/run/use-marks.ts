import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { createMarkOutbox } from './mark-outbox.ts';
import type { QuizKeeper } from './quiz-keeper.ts';
import { type Owner, readUnsent } from './unsent-answers.ts';

/** What stands on the server, but for what this browser has not sent yet. */
function markedIn({ questions }: QuizSession, owner: Owner): Set<string> {
  const { marks } = readUnsent(owner);
  return new Set(questions.flatMap(({ uuid, marked }) => ((marks[uuid] ?? marked) ? [uuid] : [])));
}

/**
 * The questions that a learner wants to come back to. A mark is there at once, sent behind, and
 * outlives a reload before it has arrived.
 */
export function useMarks(session: QuizSession, { mark, owner: uid }: QuizKeeper) {
  const [{ outbox, owner }] = useState(() => {
    const whose = { uid, quizId: session.id };
    return { outbox: createMarkOutbox(whose), owner: whose };
  });
  const [marked, setMarked] = useState(() => markedIn(session, owner));
  const send = useEffectEvent((uuid: string, isMarked: boolean) => mark?.(uuid, isMarked));
  useEffect(() => outbox.open(async (...given) => send(...given)), [outbox]);

  return {
    marked,
    /** Only a practice test is gone through again. */
    takesMarks: mark !== undefined && session.exam !== null,
    toggle(uuid: string) {
      const isMarked = !marked.has(uuid);
      const others = [...marked].filter((other) => other !== uuid);
      setMarked(new Set(isMarked ? [...others, uuid] : others));
      outbox.keep(uuid, isMarked);
    },
    /** Takes over what was just read, but for what was marked here and has not arrived. */
    sync(read: QuizSession) {
      setMarked(markedIn(read, owner));
      outbox.hurry();
    },
  };
}
