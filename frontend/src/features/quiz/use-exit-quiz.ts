import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getSession } from '#lib/session.ts';
import { cancelQuiz, type OpenQuiz, quizKeys } from './api.ts';
import { forgetUnsent } from './unsent-answers.ts';

/** Gives up an open quiz without a result. */
export function useExitQuiz(onSettled: (error: Error | null) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: OpenQuiz) => cancelQuiz(id),
    onSuccess: (_, { id }) => forgetUnsent({ uid: getSession().user?.uid ?? '', quizId: id }),
    // Also after a failure: it may have been ended elsewhere.
    onSettled: (_, error) => {
      onSettled(error);
      return queryClient.invalidateQueries({ queryKey: quizKeys.open() });
    },
  });
}
