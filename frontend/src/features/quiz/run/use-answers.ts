import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { createAnswerOutbox } from './answer-outbox.ts';
import { forgetOldAnswers } from './forget-old-answers.ts';
import { followOtherTabs } from './other-tabs.ts';
import type { QuizKeeper } from './quiz-keeper.ts';
import { isKept } from './unsent-answers.ts';

/** The answers of a quiz, on their way to whoever keeps it, and in step with other tabs. */
export function useAnswers(session: QuizSession, keeper: QuizKeeper) {
  const [{ outbox, owner }] = useState(() => {
    const whose = { uid: keeper.owner, quizId: session.id };
    return { outbox: createAnswerOutbox(session, whose), owner: whose };
  });
  const state = useSyncExternalStore(outbox.subscribe, outbox.state);

  const post = useEffectEvent(keeper.answer);
  const onClosed = useEffectEvent(() => void keeper.showOutcome());
  const readAgain = useEffectEvent(() => {
    // What cannot be read now is read the next time.
    if (keeper.read) void outbox.readAgain(keeper.read).catch(() => {});
  });
  useEffect(() => {
    forgetOldAnswers();
    const close = outbox.open({
      post: (given) => post(given),
      onClosed: () => onClosed(),
      onStale: () => readAgain(),
    });
    const unfollow = followOtherTabs(owner, {
      onAnswer() {
        outbox.adopt();
        readAgain();
      },
      onReturn() {
        outbox.hurry();
        readAgain();
      },
    });
    return () => {
      unfollow();
      close();
    };
  }, [outbox, owner]);

  const given = Object.values(state.answers);
  const unsent = given.filter(({ status }) => status !== 'saved').length;
  useWarnBeforeLeaving(unsent > 0 || state.handingIn);

  return {
    ...state,
    unsent,
    waiting: given.filter(({ status }) => status === 'waiting').length,
    /** False in a browser that keeps nothing: what waits is lost with the page. */
    outlivesPage: unsent === 0 || isKept(owner),
    send: outbox.give,
    handIn: outbox.handIn,
    retry: outbox.hurry,
  };
}

/** Only while something is unsent: whoever has nothing to lose is not asked. */
function useWarnBeforeLeaving(unsent: boolean) {
  useEffect(() => {
    if (!unsent) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [unsent]);
}
