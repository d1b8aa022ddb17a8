import type { QuizQuestion, QuizSession } from '@proveklar/contract/quiz.ts';
import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { ApiError } from '#lib/api-error.ts';
import { getSession } from '#lib/session.ts';
import {
  answerQuestion,
  cancelQuiz,
  endQuiz,
  markQuestion,
  quizKeys,
  readQuiz,
  sendAnswer,
} from '../api.ts';
import { forgetOldAnswers } from '../forget-old-answers.ts';
import { expectAnswers } from '../learning/api.ts';
import { forgetUnsent, isKept, readUnsent } from '../unsent-answers.ts';
import { type AnswerCalls, createAnswersStore, followOtherTabs } from './answers-store.ts';
import {
  type AutoAdvance,
  type Guard,
  useAccountAutoAdvance,
  useAutoAdvance,
  NEXT_GUARD_MS,
  useBrowserAutoAdvance,
  useGuard,
} from './auto-advance.ts';
import { countAnswered, firstUnanswered, whereLeft, whereShown } from './quiz-position.ts';
import { useShownMs } from './shown-ms.ts';

type Step = UseMutationResult<void, Error, void>;

/** A quiz to run: a learner's own, stored by the service, or the free sample, stored by this page. */
export type RunnableQuiz = AnswerCalls & {
  autoAdvance: AutoAdvance;
  /** Sets or removes the mark on a question. */
  mark?: (uuid: string, marked: boolean) => Promise<unknown>;
  /** Ends the quiz and shows the result. */
  end: Step;
  /** Cancels the quiz and goes home. */
  cancel: Step;
  /** Whether the service stores the answers: then it can be left open and continued from the quiz home. */
  isStored: boolean;
  /** Whether a question can be reported: only a learner's report has a sender. */
  takesReports: boolean;
};

export type QuizRunState = ReturnType<typeof useQuizRun>;

/**
 * The state of a running quiz, of three kinds: a drill with instant feedback, which it waits for; a drill
 * without, which advances at once; and a practice test, the same but with answers that can be changed. It does
 * not advance automatically while it is `paused` by a dialog, or if auto-advance is off.
 */
export function useQuizRun(
  session: QuizSession,
  quiz: RunnableQuiz,
  { paused }: { paused: boolean },
) {
  const { questions } = session;
  const { end, cancel, isStored, takesReports } = quiz;
  const saving = useAnswers(session, quiz);
  const { answers, refusal, send, handingIn: finishing } = saving;
  const [index, setIndex] = useState(() => whereToBegin(session, answers));
  const [reading, setReading] = useState<string>();
  const auto = quiz.autoAdvance;
  const [guard, setGuard] = useGuard();
  const [advancedFrom, setAdvancedFrom] = useState<QuizQuestion>();
  const tappedAt = useRef(-Infinity);

  const question = questions[index];
  if (!question) throw new Error('A quiz without questions cannot be shown');
  const [shownAtFirst] = useState(() => readShown(session.id));
  useEffect(() => writeShown(session.id, question.uuid), [session.id, question.uuid]);
  // Before a reload, this tab has shown it for an unknown time.
  const shownMs = useShownMs(question.uuid, question.uuid !== shownAtFirst);
  const given = answers[question.uuid];
  const isTest = session.exam !== null;
  const guarded = guard?.question === question.uuid ? guard.against : undefined;
  const instant = session.instant_feedback;
  const isLast = index === questions.length - 1;
  const answered = countAnswered(questions, answers);

  /**
   * Ends the quiz once every answer has arrived, however long the network is away. If an answer is refused, it
   * stays open and shows why.
   */
  async function finish() {
    const refused = await saving.handIn(() => end.mutateAsync());
    if (refused) goTo(questions.findIndex(({ uuid }) => uuid === refused));
  }
  const resume = useEffectEvent(() => void saving.handIn(() => end.mutateAsync()));
  useEffect(() => {
    // The hand-in was requested before a reload, so it is not confirmed again.
    if (readUnsent({ uid: quiz.owner, quizId: session.id }).handIn) resume();
  }, [quiz.owner, session.id]);

  function goTo(target: number) {
    setGuard(undefined);
    setAdvancedFrom(undefined);
    tappedAt.current = -Infinity;
    const { uuid } = questions[target] ?? {};
    // The learner has gone back to an answered question to read it.
    if (uuid && answers[uuid]) setReading(uuid);
    setIndex(target);
  }

  function next() {
    // A learner who presses Next wants to read.
    if (asksToAdvance) auto.choose(false);
    if (!isLast) goTo(index + 1);
    else if (!isTest) void finish();
  }

  function advance(against?: Guard['against']) {
    next();
    const following = questions[index + 1]?.uuid;
    if (following && against) setGuard({ question: following, against });
    if (following) setAdvancedFrom(question);
    if (against === 'pointer') tappedAt.current = performance.now();
  }

  const refuses = (byPointer: boolean) =>
    guarded === 'everything' || (guarded === 'pointer' && byPointer);
  const refusesNext = (byPointer: boolean) =>
    refuses(byPointer) || (byPointer && performance.now() - tappedAt.current < NEXT_GUARD_MS);

  function choose(answer: string, byPointer = false) {
    if (!question || finishing || refuses(byPointer)) return;
    const isFixed = !isTest && given !== undefined;
    if (isFixed) return;
    if (given?.answer !== answer || given.status === 'waiting')
      send(question.uuid, answer, shownMs());
    if (!instant && auto.on) advance(byPointer ? 'pointer' : undefined);
  }

  const correct = given?.fresh ? given.result?.correct : undefined;
  const asksToAdvance = instant && correct === false && !auto.isChosen;
  const enabled = instant && auto.on && !asksToAdvance && reading !== question.uuid && !paused;
  useAutoAdvance(question.uuid, correct, enabled, {
    advance: (judged) => {
      // The learner may have advanced by hand meanwhile.
      if (judged === question.uuid) advance('everything');
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
    autoAdvance: auto.on,
    setAutoAdvance: auto.choose,
    /** The first wrong answer: the quiz waits, and asks whether to advance automatically from now on. */
    asksToAdvance,
    /** The question before, if the quiz advanced from it automatically. */
    advancedFrom,
    /** The learner reads the explanation: this question waits for "next". */
    holdForReading: () => setReading(question.uuid),
    /** After an automatic advance: what the question refuses at first. */
    guarded,
    /** Whether "next" is refused, because it cannot be meant for this question yet. */
    refusesNext,
    choose,
    next,
    previous: () => goTo(Math.max(0, index - 1)),
    /** Whether the learner may go back. */
    goesBack: isTest || instant,
    goTo,
    goToUnanswered: () => goTo(firstUnanswered(questions, answers)),
    finish,
    finishing,
    /**
     * Whether "next" may be pressed. A drill waits for the feedback, but not while offline: then the result
     * shows it.
     */
    canGoOn: isTest || (given !== undefined && !(instant && given.status === 'sending')),
    saving,
    /** The error of an answer that was given up, because no retry would help. */
    refusal,
    end,
    cancel,
    isStored,
    takesReports,
  };
}

/** The question to start or continue with; after a reload the one that this tab showed, if it fits. */
function whereToBegin(
  { id, questions, exam, instant_feedback }: QuizSession,
  answers: Parameters<typeof firstUnanswered>[1],
): number {
  if (exam) return whereShown(questions, answers, readShown(id));
  if (instant_feedback) return whereLeft(questions, answers, readShown(id));
  return firstUnanswered(questions, answers);
}

const SHOWN_KEY = 'proveklar.shown-question';

/** The question of this quiz that this tab showed last; it survives a reload, but not the tab. */
function readShown(quizId: string): string | null {
  try {
    const [shownOf, uuid] = sessionStorage.getItem(SHOWN_KEY)?.split(' ') ?? [];
    return shownOf === quizId ? (uuid ?? null) : null;
  } catch {
    return null;
  }
}

/** Stored with the quiz's id, because another quiz may have the same question. */
function writeShown(quizId: string, uuid: string): void {
  try {
    sessionStorage.setItem(SHOWN_KEY, `${quizId} ${uuid}`);
  } catch {
    // Storage is blocked or full: a reload then shows the next question.
  }
}

/** The answers of a quiz while its page is open, in sync with other tabs. */
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
    /** False without storage: waiting answers are lost with the page. */
    outlivesPage: unsent === 0 || isKept(store.owner),
    send: store.give,
    handIn: store.handIn,
    retry: store.hurry,
  };
}

/** Lets the browser ask before the page is closed while an answer is unsent. */
function useWarnBeforeLeaving(unsent: boolean) {
  useEffect(() => {
    if (!unsent) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [unsent]);
}

/** A learner's own quiz, stored by the service. */
export function useOwnQuiz(session: QuizSession): RunnableQuiz {
  const { id } = session;
  // The learner who opened the quiz: an answer that fails after a sign-out is still theirs.
  const [owner] = useState(() => getSession().user?.uid ?? '');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  useEffect(() => {
    // The lists of the home are stale from now on.
    queryClient.removeQueries({ queryKey: quizKeys.lists() });
    // On leaving, the quiz as first read is stale, too: it lacks the answers given since.
    return () => {
      queryClient.removeQueries({ queryKey: quizKeys.session(id) });
      expectAnswers();
    };
  }, [queryClient, id]);

  // Handing in and reading may both find the quiz over; the second must not navigate again and remove what the
  // first is reading.
  const leaving = useRef<Promise<void>>(undefined);
  const isCancelling = useRef(false);
  /** Navigates to the result, which redirects to "exited" if there is none. */
  function showOutcome() {
    if (isCancelling.current) return Promise.resolve();
    leaving.current ??= leave().finally(() => {
      leaving.current = undefined;
    });
    return leaving.current;
  }
  function leave() {
    queryClient.removeQueries({ queryKey: quizKeys.session(id) });
    // With `replace`, so that Back from the result does not lead to a quiz that is over.
    return navigate({ to: '/quiz/$id/result', params: { id }, replace: true });
  }
  const end = useMutation({
    mutationFn: () => unlessClosed(asOwner(() => endQuiz(id))),
    onSuccess: showOutcome,
  });
  const cancel = useMutation({
    mutationFn: () => unlessClosed(cancelQuiz(id)),
    // Whatever finds the quiz over meanwhile must not navigate elsewhere.
    onMutate() {
      isCancelling.current = true;
    },
    onError() {
      isCancelling.current = false;
    },
    onSuccess() {
      forgetUnsent({ uid: owner, quizId: id });
      return navigate({ to: '/quiz', replace: true });
    },
  });
  const withFeedback = useAccountAutoAdvance(session, owner);
  // On at first, as specified, but not for a learner who has chosen to advance by hand.
  const withoutFeedback = useBrowserAutoAdvance(
    'proveklar.advance-without-feedback',
    session.auto_advance === false ? 'off' : 'on',
  );
  /** Calls only with this learner's token: another account may have signed in in another tab. */
  function asOwner<T>(call: () => Promise<T>): Promise<T> {
    if (getSession().user?.uid === owner) return call();
    return Promise.reject(new ApiError(401, 'unauthenticated', 'No user logged in'));
  }
  return {
    owner,
    autoAdvance: session.instant_feedback ? withFeedback : withoutFeedback,
    answer: (given) => sendAnswer(given, (request) => asOwner(() => answerQuestion(id, request))),
    read: () => asOwner(() => readQuiz(id)),
    mark: (uuid, marked) => asOwner(() => markQuestion(id, uuid, marked)),
    end,
    cancel,
    showOutcome,
    isStored: true,
    takesReports: true,
  };
}

/** Ignores the error that the quiz is already closed, by a second call or another device. */
async function unlessClosed(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}
