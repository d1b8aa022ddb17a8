import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useStored } from '#lib/use-stored.ts';
import type { QuizKeeper } from './quiz-keeper.ts';
import { countAnswered, firstUnanswered, whereLeft, whereShown } from './quiz-position.ts';
import { readUnsent } from './unsent-answers.ts';
import { useAnswers } from './use-answers.ts';
import { useAutoAdvance } from './use-auto-advance.ts';

export type QuizRunState = ReturnType<typeof useQuizRun>;

/** Where it is begun, or gone on with: after a reload where this tab was, unless that is done with. */
function whereToBegin(
  { id, questions, exam, instant_feedback }: QuizSession,
  answers: Parameters<typeof firstUnanswered>[1],
): number {
  if (exam) return whereShown(questions, answers, readShown(id));
  if (instant_feedback) return whereLeft(questions, answers, readShown(id));
  return firstUnanswered(questions, answers);
}

/**
 * One run through a quiz. Three kinds: a drill that shows each answer at once (it waits for it),
 * a drill that does not (it goes on at once), and a practice test (the same, but answers may be changed).
 * While it is `paused`, because a dialog is open, or where auto-advance is switched off, it does not
 * go on by itself.
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
  const [index, setIndex] = useState(() => whereToBegin(session, answers));
  const [reading, setReading] = useState<string>();
  const { storedAs, byDefault } = keeper.autoAdvance;
  const [auto, setAuto] = useStored(storedAs, ['on', 'off'], byDefault);
  const [guard, setGuard] = useGuard();
  const hint = useReadingHint();

  const question = questions[index];
  if (!question) throw new Error('A quiz without questions cannot be shown');
  useEffect(() => writeShown(session.id, question.uuid), [session.id, question.uuid]);
  const given = answers[question.uuid];
  const isTest = session.exam !== null;
  const guarded = guard?.question === question.uuid ? guard.against : undefined;
  const instant = session.instant_feedback;
  const isLast = index === questions.length - 1;
  const answered = countAnswered(questions, answers);

  /**
   * Ends as soon as every answer has arrived, by itself, however long the network is away. Stays,
   * with the reason shown, if something is refused.
   */
  async function finish() {
    const refused = await saving.handIn(() => end.mutateAsync());
    if (refused) goTo(questions.findIndex(({ uuid }) => uuid === refused));
  }
  const resume = useEffectEvent(() => void saving.handIn(() => end.mutateAsync()));
  useEffect(() => {
    // Asked for before a reload: it is not asked twice.
    if (readUnsent({ uid: keeper.owner, quizId: session.id }).handIn) resume();
  }, [keeper.owner, session.id]);

  function goTo(target: number) {
    setGuard(undefined);
    const { uuid } = questions[target] ?? {};
    // Whoever comes back to what was judged wants to read it.
    if (uuid && answers[uuid]) setReading(uuid);
    setIndex(target);
  }

  function next() {
    if (!isLast) goTo(index + 1);
    else if (!isTest) void finish();
  }

  function nextByItself(against?: Guard['against']) {
    next();
    const following = questions[index + 1]?.uuid;
    if (following && against) setGuard({ question: following, against });
    if (following && given?.result?.explanation) hint.tell(following);
  }

  const refuses = (byPointer: boolean) =>
    guarded === 'everything' || (guarded === 'pointer' && byPointer);

  function choose(answer: string, byPointer = false) {
    if (!question || finishing || refuses(byPointer)) return;
    const isFixed = !isTest && given !== undefined;
    if (isFixed) return;
    if (given?.answer !== answer || given.status === 'waiting') send(question.uuid, answer);
    if (!instant && auto === 'on') nextByItself(byPointer ? 'pointer' : undefined);
  }

  const correct = given?.fresh ? given.result?.correct : undefined;
  const enabled = instant && auto === 'on' && reading !== question.uuid && !paused;
  useAutoAdvance(question.uuid, correct, enabled, {
    advance: (judged) => {
      // By hand it may have gone on meanwhile.
      if (judged === question.uuid) nextByItself('everything');
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
    /** It has only just come automatically, and refuses this at first. */
    guarded,
    /** Whether neither an answer nor "next" can be meant for it yet. */
    refuses,
    /** Whether it says here how to get time to read. */
    hintsAtReading: hint.hinted === question.uuid,
    choose,
    next,
    previous: () => goTo(Math.max(0, index - 1)),
    /** Whether one may go back: what waits for no judgement more, or can be changed. */
    goesBack: isTest || instant,
    goTo,
    goToUnanswered: () => goTo(firstUnanswered(questions, answers)),
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

const KEY = 'proveklar.shown-question';

/** The question that this tab showed last of this quiz; it survives a reload, not the tab. */
function readShown(quizId: string): string | null {
  try {
    const [shownOf, uuid] = sessionStorage.getItem(KEY)?.split(' ') ?? [];
    return shownOf === quizId ? (uuid ?? null) : null;
  } catch {
    return null;
  }
}

/** Kept with its quiz: another one may have the same question. */
function writeShown(quizId: string, uuid: string): void {
  try {
    sessionStorage.setItem(KEY, `${quizId} ${uuid}`);
  } catch {
    // Blocked or full: after a reload the next question comes then.
  }
}

/**
 * What a question that came automatically refuses at first. After a judgement: everything, so that a correction
 * of the answer before, made a little too late, is not taken for an answer. Where the next question comes at
 * once: the mouse or finger that has just chosen, because half of a double tap was not meant for it.
 */
interface Guard {
  question: string;
  against: 'everything' | 'pointer';
}

const GUARD_MS = { everything: 600, pointer: 300 };

/** The question that is guarded, if any; each guard ends after its time. */
function useGuard() {
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
function useReadingHint() {
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
