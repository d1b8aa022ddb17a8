import type { AnswerRequest, AnswerResponse } from '@proveklar/contract/quiz.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '#lib/api-error.ts';
import { answerSample } from '../api.ts';
import { SAMPLE_OWNER, writeSample } from './kept-sample.ts';
import type { RunnableQuiz } from '../use-quiz-run.ts';

export type SampleSteps = {
  onAnswer: (given: AnswerRequest, result: AnswerResponse) => void;
  onEnd: () => void;
  /** The sample has another question in the place of this one, or its options are others. */
  onChanged: () => void;
};

const CHANGED = new Set(['question_not_in_quiz', 'answer_not_an_option']);

/** The free sample, kept by this page: the service judges the answers and stores nothing. */
export function useSample({ onAnswer, onEnd, onChanged }: SampleSteps): RunnableQuiz {
  const navigate = useNavigate();
  const end = useMutation({
    mutationFn: () => Promise.resolve(),
    onSuccess: onEnd,
  });
  const cancel = useMutation({
    mutationFn: () => {
      writeSample(null);
      return navigate({ to: '/', replace: true });
    },
  });
  return {
    owner: SAMPLE_OWNER,
    // The first impression: nobody is hurried past their first explanation.
    autoAdvance: { storedAs: 'proveklar.sample-auto-advance', byDefault: 'off' },
    async answer(given) {
      try {
        const result = await answerSample(given);
        onAnswer(given, result);
        return result;
      } catch (error) {
        if (error instanceof ApiError && CHANGED.has(error.code)) onChanged();
        throw error;
      }
    },
    end,
    cancel,
    showOutcome: () => Promise.resolve(onEnd()),
    staysOpen: false,
    takesReports: false,
  };
}
