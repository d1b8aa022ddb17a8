import type { FeedbackResponse } from '@proveklar/contract/feedback.ts';
import type {
  QuestionChange,
  QuestionChangeRequest,
  QuestionChangesResponse,
} from '@proveklar/contract/question-changes.ts';
import type {
  CreateQuestionRequest,
  DeleteQuestionResponse,
  EditQuestionRequest,
  PresenceResponse,
  SiblingsResponse,
} from '@proveklar/contract/question-writing.ts';
import type {
  BankQuestion,
  BankTopicsResponse,
  QuestionBankResponse,
  QuestionFilter,
  QuestionFiltersResponse,
  QuestionVersionsResponse,
} from '@proveklar/contract/questions.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, request } from '#lib/api-client.ts';
import { QUESTIONS } from '#lib/question-areas.ts';
import { saveFile } from '#lib/save-file.ts';
import { type BankSearch, toParameters } from './bank-search.ts';

export const questionKeys = {
  all: QUESTIONS,
  lists: () => [...QUESTIONS, 'list'] as const,
  list: (search: BankSearch) => [...questionKeys.lists(), search] as const,
  filters: () => [...QUESTIONS, 'filters'] as const,
  topics: () => [...QUESTIONS, 'topics'] as const,
  one: (id: string) => [...QUESTIONS, 'one', id] as const,
  versions: (id: string) => [...QUESTIONS, 'one', id, 'versions'] as const,
  siblings: (id: string) => [...QUESTIONS, 'one', id, 'siblings'] as const,
  // Not below the others: a change of a question does not change who has it open.
  presence: (id: number) => ['admin', 'question-presence', id] as const,
  changes: () => [...QUESTIONS, 'changes'] as const,
  // Below the feedback key, so that a new report is shown at once.
  reports: (id: number) => ['admin', 'feedback', 'of-question', id] as const,
};

/** The topics and languages of the bank. */
export const filtersQuery = queryOptions({
  queryKey: questionKeys.filters(),
  queryFn: ({ signal }) =>
    api<QuestionFiltersResponse>('/questions/filters', { signedIn: true, signal }),
});

/** The topics of the bank with their numbers of questions. */
export const bankTopicsQuery = queryOptions({
  queryKey: questionKeys.topics(),
  queryFn: async ({ signal }) =>
    (await api<BankTopicsResponse>('/questions/topics', { signedIn: true, signal })).topics,
});

/** A question by its id or uuid. */
export const questionQuery = (id: string) =>
  queryOptions({
    queryKey: questionKeys.one(id),
    queryFn: ({ signal }) =>
      api<BankQuestion>(`/questions/${encodeURIComponent(id)}`, { signedIn: true, signal }),
  });

/** All versions of a question, the newest first. */
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: questionKeys.versions(id),
    queryFn: async ({ signal }) => {
      const path = `/questions/${encodeURIComponent(id)}/versions`;
      const { versions } = await api<QuestionVersionsResponse>(path, { signedIn: true, signal });
      return versions;
    },
  });

/** The same question in other languages, and what they said before they were changed. */
export const siblingsQuery = (id: string) =>
  queryOptions({
    queryKey: questionKeys.siblings(id),
    queryFn: async ({ signal }) => {
      const path = `/questions/${encodeURIComponent(id)}/siblings`;
      return (await api<SiblingsResponse>(path, { signedIn: true, signal })).siblings;
    },
  });

/** The server forgets an editor after 40 s of silence. */
const PRESENCE_INTERVAL_MS = 15_000;

/** Reports that the page of a question is open, and reads who else has it open. */
export const presenceQuery = (id: number, writing: boolean) =>
  queryOptions({
    queryKey: [...questionKeys.presence(id), writing],
    queryFn: async ({ signal }) => {
      const options = { method: 'POST', signedIn: true, signal, body: { writing } } as const;
      return (await api<PresenceResponse>(`/questions/${id}/presence`, options)).others;
    },
    refetchInterval: PRESENCE_INTERVAL_MS,
    // The editors of a moment ago are shown until the answer comes.
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

/** A page of the matching questions; the previous page stays until it is loaded. */
export function questionsQuery(search: BankSearch) {
  return queryOptions({
    queryKey: questionKeys.list(search),
    queryFn: ({ signal }) =>
      api<QuestionBankResponse>(`/questions?${toParameters(search).toString()}`, {
        signedIn: true,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** The learners' reports of a question, the newest first. */
export const reportsQuery = (id: number) =>
  queryOptions({
    queryKey: questionKeys.reports(id),
    queryFn: ({ signal }) =>
      api<FeedbackResponse>(`/admin/feedback?question_id=${id}`, { signedIn: true, signal }),
  });

/** Adds a question. It is pending. */
export function createQuestion(body: CreateQuestionRequest): Promise<BankQuestion> {
  return api('/questions', { method: 'POST', signedIn: true, body });
}

/** Makes an earlier version the current one; 409 `question_changed` if there is a newer one by now. */
export function restoreVersion(
  id: number,
  restored: number,
  version: number,
): Promise<BankQuestion> {
  const path = `/questions/${id}/versions/${restored}/restore`;
  return api(path, { method: 'POST', signedIn: true, body: { version } });
}

/** Says that two translations say the same now. */
export function markAligned(id: number, sibling: number): Promise<unknown> {
  return api(`/questions/${id}/siblings/${sibling}/aligned`, { method: 'POST', signedIn: true });
}

/** Replaces the content of a question; 409 `question_changed` if it was changed meanwhile. */
export function editQuestion(id: number, body: EditQuestionRequest): Promise<BankQuestion> {
  return api(`/questions/${id}`, { method: 'PUT', signedIn: true, body });
}

export function changeTopic(id: number, topic: string): Promise<BankQuestion> {
  return api(`/questions/${id}/topic`, { method: 'PUT', signedIn: true, body: { topic } });
}

/** Validates a question, so that quizzes draw it, or undoes that. */
export function validateQuestion(id: number, validated: boolean): Promise<BankQuestion> {
  return api(`/questions/${id}/validate`, { method: 'POST', signedIn: true, body: { validated } });
}

/** Deletes a question; one that a quiz has is retired instead. */
export function deleteQuestion(id: number): Promise<DeleteQuestionResponse> {
  return api(`/questions/${id}`, { method: 'DELETE', signedIn: true });
}

export function restoreQuestion(id: number): Promise<BankQuestion> {
  return api(`/questions/${id}/restore`, { method: 'POST', signedIn: true });
}

/** A fallback for live updates, which come more often. */
const POLL_INTERVAL_MS = 2_000;

/** Starts a bulk change. A small one is done when this resolves; others continue in the background. */
export function changeQuestions(body: QuestionChangeRequest): Promise<QuestionChange> {
  return api('/admin/question-changes', { method: 'POST', signedIn: true, body });
}

/** Cancels a running change, or undoes it. */
export function actOnChange(id: string, action: 'cancel' | 'undo'): Promise<QuestionChange> {
  return api(`/admin/question-changes/${id}/${action}`, { method: 'POST', signedIn: true });
}

/** The latest bulk changes, polled while one of them is running. */
export const changesQuery = queryOptions({
  queryKey: questionKeys.changes(),
  queryFn: async ({ signal }) => {
    const options = { signedIn: true, signal };
    return (await api<QuestionChangesResponse>('/admin/question-changes', options)).changes;
  },
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? POLL_INTERVAL_MS : false),
});

export type ExportFormat = 'json' | 'csv';

/** Saves the matching questions as a file that can be imported. */
export async function exportQuestions(format: ExportFormat, filter: QuestionFilter): Promise<void> {
  const parameters = toParameters(filter);
  parameters.set('format', format);
  const path = `/questions/export?${parameters.toString()}`;
  const response = await request(path, { signedIn: true });
  const today = new Date().toISOString().slice(0, 10);
  saveFile(await response.blob(), `proveklar-questions-${today}.${format}`);
}

export function isUnderWay({ state }: QuestionChange): boolean {
  return state === 'running' || state === 'undoing';
}

/** Whether a change can be undone. */
export function canUndo({ state, changed }: QuestionChange): boolean {
  return (state === 'completed' || state === 'cancelled') && changed > 0;
}
