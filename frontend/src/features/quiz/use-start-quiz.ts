import type { StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { ApiError } from '#lib/api-error.ts';
import { configQuery } from '#lib/config.ts';
import { quizQuery, startQuiz } from './api.ts';

/**
 * Starts a quiz and goes there. Of several ways to start one, `starting` names the one under way; `retry`
 * starts the one that failed.
 */
export function useStartQuiz<Way extends string>() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  // The state of the mutation comes a moment too late for a second, very fast click.
  const underWay = useRef(false);
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: ({ request }: { request: StartQuizRequest; way: Way }) => startQuiz(request),
    onSuccess: (session) => {
      queryClient.setQueryData(quizQuery(session.id).queryKey, session);
      return navigate({ to: '/quiz/$id', params: { id: session.id } });
    },
    onError: (failed) => {
      // Withdrawn since this page read which there are.
      if (!(failed instanceof ApiError) || failed.code !== 'language_not_offered') return;
      void queryClient.invalidateQueries({ queryKey: configQuery.queryKey });
    },
    onSettled: () => {
      underWay.current = false;
    },
  });
  function start(request: StartQuizRequest, way: Way) {
    if (underWay.current) return;
    underWay.current = true;
    mutate({ request, way });
  }
  function retry() {
    if (variables) start(variables.request, variables.way);
  }
  return { start, retry, starting: isPending ? variables.way : undefined, error };
}
