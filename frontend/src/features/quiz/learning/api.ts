import type {
  LearningPlanRequest,
  LearningResponse,
  OutcomeRequest,
} from '@proveklar/contract/learning.ts';
import {
  queryOptions,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { quizKeys } from '../api.ts';

/** What the learner knows and plans, with the language of the questions. */
export type Learning = LearningResponse & { language: string };

export const learningKeys = {
  // One of the home's lists: stale as soon as a quiz is opened, or the account changes.
  all: () => [...quizKeys.lists(), 'learning'] as const,
  in: (language: string) => [...learningKeys.all(), language] as const,
};

async function getLearning(language: string, signal: AbortSignal): Promise<Learning> {
  const path = `/learning?language=${encodeURIComponent(language)}`;
  const learning = await api<LearningResponse>(path, { signedIn: true, signal });
  return { ...learning, language };
}

/** In a language, or in Norwegian if the bank has no questions in it. */
export const learningQuery = (language: string) =>
  queryOptions({
    queryKey: learningKeys.in(language),
    queryFn: async ({ signal }) => {
      const learning = await getLearning(language, signal);
      const isEmpty = learning.topics.length === 0 && language !== 'no';
      return isEmpty ? getLearning('no', signal) : learning;
    },
    staleTime: 2_000,
  });

/** The workers take up to a few seconds to apply the last answers. */
const SETTLE_MS = 5_000;
const POLL_INTERVAL_MS = 1_000;

let leftQuizAt = -Infinity;

/** The learner leaves a quiz: for a few seconds, what they know follows from its answers. */
export function expectAnswers(): void {
  leftQuizAt = performance.now();
}

/** The milliseconds in which the answers of a quiz that was left may still be applied. */
export const settlesIn = (): number => Math.max(0, leftQuizAt + SETTLE_MS - performance.now());

/** Polled for a few seconds after a quiz, because learners get no live update of their answers. */
export function useLearning(language: string) {
  return useQuery({
    ...learningQuery(language),
    refetchInterval: () => (settlesIn() > 0 ? POLL_INTERVAL_MS : false),
  });
}

/** Changes what is given of the plan. Safe to retry. */
export function useChangePlan() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: LearningPlanRequest) =>
      api<LearningResponse>('/learning', { method: 'PUT', signedIn: true, body }),
    onSuccess: (saved) => {
      const { exam, exam_date, daily_goal, reminders, reminders_stopped, support_access } = saved;
      const plan = { exam, exam_date, daily_goal, reminders, reminders_stopped, support_access };
      updateCached(queryClient, plan);
      // The rest of the answer is about the questions in the account's language.
      void queryClient.invalidateQueries({ queryKey: learningKeys.all() });
    },
  });
}

/** Says how the exam went. It is asked once. */
export function useAnswerOutcome() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (passed: OutcomeRequest['passed']) =>
      api<{ ok: true }>('/learning/outcome', {
        method: 'POST',
        signedIn: true,
        body: { passed } satisfies OutcomeRequest,
      }),
    onSuccess: () => updateCached(queryClient, { ask_outcome: false }),
  });
}

function updateCached(queryClient: QueryClient, change: Partial<Learning>): void {
  queryClient.setQueriesData<Learning>(
    { queryKey: learningKeys.all() },
    (old) => old && { ...old, ...change },
  );
}
