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

export const quizKeys = {
  all: ['quiz'] as const,
  topics: (language: string) => [...quizKeys.all, 'topics', language] as const,
  sample: (language: string) => [...quizKeys.all, 'sample', language] as const,
  exams: () => [...quizKeys.all, 'exams'] as const,
  session: (id: string) => [...quizKeys.all, 'session', id] as const,
  questions: (id: string) => [...quizKeys.all, 'questions', id] as const,
  translation: (id: string, uuid: string, language: string) =>
    [...quizKeys.all, 'translation', id, uuid, language] as const,
  /** What the home screen lists: out of date as soon as one is in a quiz. */
  lists: () => [...quizKeys.all, 'lists'] as const,
  history: () => [...quizKeys.lists(), 'history'] as const,
  progress: () => [...quizKeys.lists(), 'progress'] as const,
  open: () => [...quizKeys.lists(), 'open'] as const,
};

/** A question with its key. */
export type EndedQuestion = QuestionsResponse['questions'][number];

/** The questions of a quiz that has ended, keys and explanations included. */
export const endedQuestionsQuery = (quizId: string) =>
  queryOptions({
    queryKey: quizKeys.questions(quizId),
    queryFn: ({ signal }) =>
      api<QuestionsResponse>(`/questions?quiz_id=${encodeURIComponent(quizId)}`, {
        signedIn: true,
        signal,
      }),
  });

/** What a real test is like, where that is published, and when somebody last compared it. */
export type ExamFacts = ExamsResponse['exams'][number];

export const examsQuery = queryOptions({
  queryKey: quizKeys.exams(),
  queryFn: ({ signal }) => api<ExamsResponse>('/exams', { signal }),
  staleTime: 60 * 60 * 1000,
});

/** One run in the history. */
export type HistoryItem = HistoryResponse['history'][number];

/** The runs, the newest first, 20 at a time. */
export const historyQuery = infiniteQueryOptions({
  queryKey: quizKeys.history(),
  queryFn: ({ pageParam, signal }) => {
    const query = new URLSearchParams({ limit: '20', ...(pageParam && { before: pageParam }) });
    return api<HistoryResponse>(`/quiz/history?${query.toString()}`, { signedIn: true, signal });
  },
  initialPageParam: '',
  getNextPageParam: ({ next_before }) => next_before,
});

/** A quiz to go on with. */
export type OpenQuiz = OpenQuizzesResponse['quizzes'][number];

/** Asked anew on every visit: another device may have gone on with one, or ended it. */
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
 * Read anew on every entry, because another tab or device may have gone on with the same quiz;
 * only what `start` has just answered is fresh enough to be shown without asking again.
 */
export const quizQuery = (id: string) =>
  queryOptions({
    queryKey: quizKeys.session(id),
    queryFn: ({ signal }) => readQuiz(id, signal),
    staleTime: 2_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** The questions that anybody may try; Norwegian ones where there are too few in the language. */
export const sampleQuery = (language: AppLanguage) =>
  queryOptions({
    queryKey: quizKeys.sample(language),
    queryFn: ({ signal }) => api<SampleResponse>(`/sample?language=${language}`, { signal }),
    // Who is at the questions keeps those that they began with.
    refetchOnWindowFocus: false,
  });

type Topics = { topics: string[]; language: string };

async function getTopics(language: string, signal: AbortSignal): Promise<Topics> {
  const { topics } = await api<TopicsResponse>(`/topics?language=${encodeURIComponent(language)}`, {
    signal,
  });
  return { topics, language };
}

/** The topics in a language, else in Norwegian, where there are always most: the answer says which. */
export const topicsQuery = (language: string) =>
  queryOptions({
    queryKey: quizKeys.topics(language),
    queryFn: async ({ signal }) => {
      const found = await getTopics(language, signal);
      return found.topics.length === 0 && language !== 'no' ? getTopics('no', signal) : found;
    },
  });

/** A question of a quiz in another language; refused while its key may not be known. */
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

/** A network that swallows what is sent answers nothing for minutes; a slow service needs seconds. */
const LONGEST_TRY_MS = 30_000;

/** Sends one answer. Safe to send again: a drill keeps the first, a practice test the last. */
export function answerQuestion(quizId: string, body: AnswerRequest): Promise<AnswerResponse> {
  return api(`/quiz/${quizId}/answer`, {
    method: 'POST',
    signedIn: true,
    body,
    signal: AbortSignal.timeout(LONGEST_TRY_MS),
  });
}

/** Has an answer judged. Nothing is stored, so it is safe to send again. */
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
    signal: AbortSignal.timeout(LONGEST_TRY_MS),
  });
}

/** Marks a question of a practice test to come back to it, or takes the mark back. */
export function markQuestion(id: string, uuid: string, marked: boolean): Promise<{ ok: true }> {
  const body: MarkRequest = { marked };
  return api(`/quiz/${id}/questions/${uuid}/mark`, { method: 'PUT', signedIn: true, body });
}

export type Report = Omit<FeedbackRequest, 'type'>;

/** Reports a question. Safe to send again: there is one report for each learner and question. */
export function reportQuestion(uuid: string, report: Report): Promise<{ ok: true }> {
  const body: FeedbackRequest = { type: 'thumbs_down', ...report };
  return api(`/questions/${uuid}/feedback`, { method: 'POST', signedIn: true, body });
}

export function startQuiz(body: StartQuizRequest): Promise<QuizSession> {
  return api('/quiz/start', { method: 'POST', signedIn: true, body });
}
