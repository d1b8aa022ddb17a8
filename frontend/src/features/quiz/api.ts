import type { FeedbackRequest } from '@proveklar/contract/feedback.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { QuestionsResponse, TopicsResponse } from '@proveklar/contract/questions.ts';
import type {
  AnswerRequest,
  AnswerResponse,
  EndQuizResponse,
  HistoryResponse,
  MarkRequest,
  OpenQuizzesResponse,
  ProgressResponse,
  QuizSession,
  SampleResponse,
  StartQuizRequest,
  Translation,
} from '@proveklar/contract/quiz.ts';
import type { ExamsResponse } from '@proveklar/contract/settings.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { ApiError } from '#lib/api-error.ts';

export const quizKeys = {
  all: ['quiz'] as const,
  topics: (language: string) => [...quizKeys.all, 'topics', language] as const,
  sample: (language: string) => [...quizKeys.all, 'sample', language] as const,
  exams: () => [...quizKeys.all, 'exams'] as const,
  session: (id: string) => [...quizKeys.all, 'session', id] as const,
  questions: (id: string) => [...quizKeys.all, 'questions', id] as const,
  translation: (id: string, uuid: string, language: string) =>
    [...quizKeys.all, 'translation', id, uuid, language] as const,
  /** The lists of the home, which become stale as soon as a quiz is opened. */
  lists: () => [...quizKeys.all, 'lists'] as const,
  history: () => [...quizKeys.lists(), 'history'] as const,
  progress: () => [...quizKeys.lists(), 'progress'] as const,
  open: () => [...quizKeys.lists(), 'open'] as const,
};

/** A question with its key. */
export type EndedQuestion = QuestionsResponse['questions'][number];

/** The questions of an ended quiz, with keys and explanations. */
export const endedQuestionsQuery = (quizId: string) =>
  queryOptions({
    queryKey: quizKeys.questions(quizId),
    queryFn: ({ signal }) =>
      api<QuestionsResponse>(`/questions?quiz_id=${encodeURIComponent(quizId)}`, {
        signedIn: true,
        signal,
      }),
  });

/** The published facts of the real test, their source, and when they were last compared with it. */
export type ExamFacts = ExamsResponse['exams'][number];

export const examsQuery = queryOptions({
  queryKey: quizKeys.exams(),
  queryFn: ({ signal }) => api<ExamsResponse>('/exams', { signal }),
  staleTime: 60 * 60 * 1000,
});

/** A finished quiz in the history. */
export type HistoryItem = HistoryResponse['history'][number];

/** The finished quizzes, the newest first, 20 at a time. */
export const historyQuery = infiniteQueryOptions({
  queryKey: quizKeys.history(),
  queryFn: ({ pageParam, signal }) => {
    const query = new URLSearchParams({ limit: '20', ...(pageParam && { before: pageParam }) });
    return api<HistoryResponse>(`/quiz/history?${query.toString()}`, { signedIn: true, signal });
  },
  initialPageParam: '',
  getNextPageParam: ({ next_before }) => next_before,
});

/** A quiz that can be continued. */
export type OpenQuiz = OpenQuizzesResponse['quizzes'][number];

/** Read on every visit, because another device may have continued or ended one. */
export const openQuizzesQuery = queryOptions({
  queryKey: quizKeys.open(),
  queryFn: ({ signal }) => api<OpenQuizzesResponse>('/quiz/open', { signedIn: true, signal }),
  staleTime: 2_000,
});

export type TopicProgress = ProgressResponse['topics'][number];

export const progressQuery = queryOptions({
  queryKey: quizKeys.progress(),
  queryFn: ({ signal }) => api<ProgressResponse>('/quiz/progress', { signedIn: true, signal }),
});

export function readQuiz(id: string, signal?: AbortSignal): Promise<QuizSession> {
  return api(`/quiz/${encodeURIComponent(id)}`, { signedIn: true, signal });
}

/**
 * Read on every visit, because another tab or device may have continued the quiz. Only the answer of
 * `start` is fresh enough to be shown without reading it again.
 */
export const quizQuery = (id: string) =>
  queryOptions({
    queryKey: quizKeys.session(id),
    queryFn: ({ signal }) => readQuiz(id, signal),
    staleTime: 2_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** The free sample's questions; Norwegian ones if there are too few in the language. */
export const sampleQuery = (language: AppLanguage) =>
  queryOptions({
    queryKey: quizKeys.sample(language),
    queryFn: ({ signal }) => api<SampleResponse>(`/sample?language=${language}`, { signal }),
    // A visitor in the sample keeps the questions that they started with.
    refetchOnWindowFocus: false,
  });

type Topics = {
  topics: string[];
  language: string;
  /** Undefined from a gateway of the previous version. */
  coverage: TopicsResponse['coverage'] | undefined;
};

async function getTopics(language: string, signal: AbortSignal): Promise<Topics> {
  const path = `/topics?language=${encodeURIComponent(language)}`;
  const { topics, coverage } = await api<TopicsResponse>(path, { signal });
  return { topics, language, coverage };
}

/** The topics in a language, or in Norwegian if it has none; the result names the language. */
export const topicsQuery = (language: string) =>
  queryOptions({
    queryKey: quizKeys.topics(language),
    queryFn: async ({ signal }) => {
      const found = await getTopics(language, signal);
      return found.topics.length === 0 && language !== 'no' ? getTopics('no', signal) : found;
    },
  });

/** A question of a quiz in another language; refused before its key may be shown. */
export const translationQuery = (quizId: string, uuid: string, language: string) =>
  queryOptions({
    queryKey: quizKeys.translation(quizId, uuid, language),
    queryFn: ({ signal }) => {
      const question = `/quiz/${encodeURIComponent(quizId)}/questions/${encodeURIComponent(uuid)}`;
      return api<Translation>(`${question}/translation?language=${encodeURIComponent(language)}`, {
        signedIn: true,
        signal,
      });
    },
    staleTime: Infinity,
  });

/** The same for a question of the free sample, which anyone may answer. */
export const sampleTranslationQuery: typeof translationQuery = (_sample, uuid, language) =>
  queryOptions({
    queryKey: quizKeys.translation('sample', uuid, language),
    queryFn: ({ signal }) =>
      api<Translation>(`/sample/${uuid}/translation?language=${encodeURIComponent(language)}`, {
        signal,
      }),
    staleTime: Infinity,
  });

/** A slow server needs seconds; on a broken network a request may hang for minutes. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Sends one answer. Safe to retry: a drill keeps the first, a practice test the last. */
export function answerQuestion(quizId: string, body: AnswerRequest): Promise<AnswerResponse> {
  return api(`/quiz/${quizId}/answer`, {
    method: 'POST',
    signedIn: true,
    body,
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
}

/**
 * Sends an answer; without `shown_ms` if it is refused with it: during a rolling release, a gateway of the
 * previous version does not know the field.
 */
export async function sendAnswer(
  given: AnswerRequest,
  send: (given: AnswerRequest) => Promise<AnswerResponse>,
): Promise<AnswerResponse> {
  try {
    return await send(given);
  } catch (error) {
    const { shown_ms: shownMs, ...answer } = given;
    const isRefused = error instanceof ApiError && error.code === 'validation_failed';
    if (shownMs === undefined || !isRefused) throw error;
    return send(answer);
  }
}

/** Checks an answer. Nothing is stored, so it is safe to retry. */
export function answerSample(body: AnswerRequest): Promise<AnswerResponse> {
  return api('/sample/answer', { method: 'POST', body });
}

export function cancelQuiz(quizId: string): Promise<{ ok: true }> {
  return api(`/quiz/${quizId}/cancel`, { method: 'POST', signedIn: true });
}

export function endQuiz(quizId: string): Promise<EndQuizResponse> {
  return api(`/quiz/${quizId}/end`, {
    method: 'POST',
    signedIn: true,
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
}

/** Sets or removes the mark on a question of a practice test. */
export function markQuestion(id: string, uuid: string, marked: boolean): Promise<{ ok: true }> {
  const body: MarkRequest = { marked };
  return api(`/quiz/${id}/questions/${uuid}/mark`, { method: 'PUT', signedIn: true, body });
}

export type Report = Omit<FeedbackRequest, 'type'>;

/** Reports a question. Safe to retry: a learner has one report per question. */
export function reportQuestion(uuid: string, report: Report): Promise<{ ok: true }> {
  const body: FeedbackRequest = { type: 'thumbs_down', ...report };
  return api(`/questions/${uuid}/feedback`, { method: 'POST', signedIn: true, body });
}

export function startQuiz(body: StartQuizRequest): Promise<QuizSession> {
  return api('/quiz/start', { method: 'POST', signedIn: true, body });
}
