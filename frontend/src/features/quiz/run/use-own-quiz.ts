import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '#lib/api-error.ts';
import { getSession } from '#lib/session.ts';
import { answerQuestion, cancelQuiz, endQuiz, markQuestion, quizKeys, readQuiz } from '../api.ts';
import type { QuizKeeper } from './quiz-keeper.ts';
import { forgetUnsent } from './unsent-answers.ts';

/** A second call, or one from another device, finds the quiz closed: the aim is reached then. */
async function unlessClosed(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}

/** A learner's own quiz, kept by the service. */
export function useOwnQuiz(id: string): QuizKeeper {
  // Whoever entered: an answer that fails because they signed out meanwhile is still theirs.
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
  /** Nobody else's token: in another tab somebody else may have signed in meanwhile. */
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
