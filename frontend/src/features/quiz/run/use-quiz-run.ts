import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { ApiError } from '#lib/api-error.ts';
import { getSession } from '#lib/session.ts';
import { useStored } from '#lib/use-stored.ts';
import { answerQuestion, cancelQuiz, endQuiz, markQuestion, quizKeys, readQuiz } from '../api.ts';
import { forgetOldAnswers } from '../forget-old-answers.ts';
import { forgetUnsent, isKept, readUnsent } from '../unsent-answers.ts';
import { type AnswerCalls, createAnswersStore, followOtherTabs } from './answers-store.ts';
import { type Guard, useAutoAdvance, useGuard, useReadingHint } from './auto-advance.ts';
import { countAnswered, firstUnanswered, whereLeft, whereShown } from './quiz-position.ts';

type Step = UseMutationResult<void, Error, void>;

/** A quiz to run: a learner's own, which the service keeps, or the free sample, which this page keeps. */
export type RunnableQuiz = AnswerCalls & {
  /** Where this browser remembers whether a quiz advances automatically, and the default. */
  autoAdvance: { storedAs: string; byDefault: 'on' | 'off' };
  /** Keeps that a question of a practice test is to be come back to. */
  mark?: (uuid: string, marked: boolean) => Promise<unknown>;
  /** Leads to the result. */
  end: Step;
  /** Leads home, without a result. */
  cancel: Step;
  /** Whether it can be left as it is, and gone on with from the quiz home. */
  staysOpen: boolean;
  /** Whether a question can be reported: only a learner's report has a sender. */
  takesReports: boolean;
};

export type QuizRunState = ReturnType<typeof useQuizRun>;

/**
 * One run through a quiz. Three kinds: a drill that shows each answer at once (it waits for it),
 * a drill that does not (it goes on at once), and a practice test (the same, but answers may be changed).
 * While it is `paused`, because a dialog is open, or where auto-advance is switched off, it does not
 * advance automatically.
 */
export function useQuizRun(
  session: QuizSession,
  quiz: RunnableQuiz,
  { paused }: { paused: boolean },
) {
  const { questions } = session;
  const { end, cancel, takesReports } = quiz;
  const saving = useAnswers(session, quiz);
  const { answers, refusal, send, handingIn: finishing } = saving;
  const [index, setIndex] = useState(() => whereToBegin(session, answers));
  const [reading, setReading] = useState<string>();
  const { storedAs, byDefault } = quiz.autoAdvance;
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
   * Ends automatically once every answer has arrived, however long the network is away. Stays,
   * with the reason shown, if something is refused.
   */
  async function finish() {
    const refused = await saving.handIn(() => end.mutateAsync());
    if (refused) goTo(questions.findIndex(({ uuid }) => uuid === refused));
  }
  const resume = useEffectEvent(() => void saving.handIn(() => end.mutateAsync()));
  useEffect(() => {
    // Asked for before a reload: it is not asked twice.
    if (readUnsent({ uid: quiz.owner, quizId: session.id }).handIn) resume();
  }, [quiz.owner, session.id]);

  function goTo(target: number) {
    setGuard(undefined);
    const { uuid } = questions[target] ?? {};
    // The learner comes back to an answered question to read it.
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
    /** The learner reads the explanation: this question waits for "next". */
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

/** Where it is begun, or gone on with: after a reload where this tab was, unless that is done with. */
function whereToBegin(
  { id, questions, exam, instant_feedback }: QuizSession,
  answers: Parameters<typeof firstUnanswered>[1],
): number {
  if (exam) return whereShown(questions, answers, readShown(id));
  if (instant_feedback) return whereLeft(questions, answers, readShown(id));
  return firstUnanswered(questions, answers);
}

const SHOWN_KEY = 'proveklar.shown-question';

/** The question that this tab showed last of this quiz; it survives a reload, not the tab. */
function readShown(quizId: string): string | null {
  try {
    const [shownOf, uuid] = sessionStorage.getItem(SHOWN_KEY)?.split(' ') ?? [];
    return shownOf === quizId ? (uuid ?? null) : null;
  } catch {
    return null;
  }
}

/** Kept with its quiz: another one may have the same question. */
function writeShown(quizId: string, uuid: string): void {
  try {
    sessionStorage.setItem(SHOWN_KEY, `${quizId} ${uuid}`);
  } catch {
    // Blocked or full: after a reload the next question comes then.
  }
}

/** The answers of a quiz while its page is there, in step with other tabs. */
function useAnswers(session: QuizSession, calls: AnswerCalls) {
  const [store] = useState(() => createAnswersStore(session, calls));
  const state = useSyncExternalStore(store.subscribe, store.state);
  useEffect(() => {
    forgetOldAnswers();
    const close = store.open();
    const unfollow = followOtherTabs(store);
    return () => {
      unfollow();
      close();
    };
  }, [store]);

  const given = Object.values(state.answers);
  const unsent = given.filter(({ status }) => status !== 'saved').length;
  useWarnBeforeLeaving(unsent > 0 || state.handingIn);

  return {
    ...state,
    unsent,
    waiting: given.filter(({ status }) => status === 'waiting').length,
    /** False in a browser that keeps nothing: what waits is lost with the page. */
    outlivesPage: unsent === 0 || isKept(store.owner),
    send: store.give,
    handIn: store.handIn,
    retry: store.hurry,
  };
}

/** Only while an answer is unsent: without one there is nothing to lose, and no question is asked. */
function useWarnBeforeLeaving(unsent: boolean) {
  useEffect(() => {
    if (!unsent) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [unsent]);
}

/** A learner's own quiz, kept by the service. */
export function useOwnQuiz(id: string): RunnableQuiz {
  // The learner who opened the quiz: an answer that fails after a sign-out is still theirs.
  const [owner] = useState(() => getSession().user?.uid ?? '');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  useEffect(() => {
    // What the home screen lists is out of date from here on.
    queryClient.removeQueries({ queryKey: quizKeys.lists() });
    // And so is, on the way out, what was read on entry: it lacks the answers given since.
    return () => queryClient.removeQueries({ queryKey: quizKeys.session(id) });
  }, [queryClient, id]);

  // Handing in and reading again may both find it over: the second would take from the first what it
  // is just reading.
  const leaving = useRef<Promise<void>>(undefined);
  /** To the result; the way there leads to "exited" if there is none. */
  function showOutcome() {
    leaving.current ??= leave().finally(() => {
      leaving.current = undefined;
    });
    return leaving.current;
  }
  function leave() {
    queryClient.removeQueries({ queryKey: quizKeys.session(id) });
    // Replaced: Back from the result must not lead into a quiz that is over.
    return navigate({ to: '/quiz/$id/result', params: { id }, replace: true });
  }
  const end = useMutation({
    mutationFn: () => unlessClosed(asOwner(() => endQuiz(id))),
    onSuccess: showOutcome,
  });
  const cancel = useMutation({
    mutationFn: () => unlessClosed(cancelQuiz(id)),
    onSuccess() {
      forgetUnsent({ uid: owner, quizId: id });
      return navigate({ to: '/quiz', replace: true });
    },
  });
  /** This learner's token only: in another tab, another account may have signed in meanwhile. */
  function asOwner<T>(call: () => Promise<T>): Promise<T> {
    if (getSession().user?.uid === owner) return call();
    return Promise.reject(new ApiError(401, 'unauthenticated', 'No user logged in'));
  }
  return {
    owner,
    autoAdvance: { storedAs: 'proveklar.auto-advance', byDefault: 'on' },
    answer: (given) => asOwner(() => answerQuestion(id, given)),
    read: () => asOwner(() => readQuiz(id)),
    mark: (uuid, marked) => asOwner(() => markQuestion(id, uuid, marked)),
    end,
    cancel,
    showOutcome,
    staysOpen: true,
    takesReports: true,
  };
}

/** A second call, or one from another device, finds the quiz closed: the aim is reached then. */
async function unlessClosed(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}
