import type { QuizSession } from '@proveklar/gateway/contract/quiz.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useStored } from '#lib/use-stored.ts';
import type { QuizKeeper } from './quiz-keeper.ts';
import { countAnswered, firstUnanswered, whereLeft } from './quiz-position.ts';
import { readShown, writeShown } from './shown-question.ts';
import { readUnsent } from './unsent-answers.ts';
import { useAnswers } from './use-answers.ts';
import { useAutoAdvance } from './use-auto-advance.ts';

export type QuizRunState = ReturnType<typeof useQuizRun>;

/**
 * One run through a quiz. Three kinds: a drill that shows each answer at once (it waits for it),
 * a drill that does not (it goes on at once), and a practice test (answers may be changed).
 * While it is `paused`, because a dialog is open, it does not go on by itself.
 */
export function useQuizRun(
  session: QuizSession,
  keeper: QuizKeeper,
  { paused }: { paused: boolean },
) {
  const { questions } = session;
  const { end, cancel, takesReports } = keeper;
  const saving = useAnswers(session, keeper);
  const { answers, refusal, send, handingIn: finishing } = saving;
  const [index, setIndex] = useState(() =>
    session.instant_feedback
      ? whereLeft(questions, answers, readShown())
      : firstUnanswered(questions, answers),
  );
  const [reading, setReading] = useState<string>();
  const [auto, setAuto] = useStored('proveklar.auto-advance', ['on', 'off'], 'on');

  const question = questions[index];
  if (!question) throw new Error('A quiz without questions cannot be shown');
  useEffect(() => writeShown(question.uuid), [question.uuid]);
  const given = answers[question.uuid];
  const isTest = session.exam !== null;
  const instant = session.instant_feedback;
  const isLast = index === questions.length - 1;
  const answered = countAnswered(questions, answers);

  /**
   * Ends as soon as every answer has arrived, by itself, however long the network is away. Stays,
   * with the reason shown, if something is refused.
   */
  async function finish() {
    const refused = await saving.handIn(() => end.mutateAsync());
    if (refused) setIndex(questions.findIndex(({ uuid }) => uuid === refused));
  }
  const resume = useEffectEvent(() => void saving.handIn(() => end.mutateAsync()));
  useEffect(() => {
    // Asked for before a reload: it is not asked twice.
    if (readUnsent({ uid: keeper.owner, quizId: session.id }).handIn) resume();
  }, [keeper.owner, session.id]);

  function next() {
    if (!isLast) setIndex(index + 1);
    else if (!isTest) void finish();
  }

  function choose(answer: string) {
    if (!question || finishing) return;
    const isFixed = !isTest && given !== undefined;
    if (isFixed) return;
    if (given?.answer !== answer || given.status === 'waiting') send(question.uuid, answer);
    if (!instant) next();
  }

  const correct = given?.fresh ? given.result?.correct : undefined;
  const enabled = instant && auto === 'on' && reading !== question.uuid && !paused;
  useAutoAdvance(question.uuid, correct, enabled, {
    advance: (judged) => {
      // By hand it may have gone on meanwhile.
      if (judged === question.uuid) next();
    },
    hold: setReading,
  });

  return {
    question,
    given,
    answers,
    index,
    isLast,
    isTest,
    instant,
    answered,
    total: questions.length,
    autoAdvance: auto === 'on',
    setAutoAdvance: (on: boolean) => setAuto(on ? 'on' : 'off'),
    /** Somebody reads the explanation: this question waits for "next". */
    holdForReading: () => setReading(question.uuid),
    choose,
    next,
    previous: () => setIndex(Math.max(0, index - 1)),
    goTo: setIndex,
    goToUnanswered: () => setIndex(firstUnanswered(questions, answers)),
    finish,
    finishing,
    /**
     * Whether "next" may be pressed. A judgement is waited for, but not while the answer waits for the
     * network: then it is told in the result.
     */
    canGoOn: isTest || (given !== undefined && !(instant && given.status === 'sending')),
    saving,
    /** Why an answer was given up: no other try would mend it. */
    refusal,
    end,
    cancel,
    takesReports,
  };
}
