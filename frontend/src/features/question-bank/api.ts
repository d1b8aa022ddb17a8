import type { FeedbackResponse } from '@proveklar/contract/feedback.ts';
import type {
  BankQuestion,
  DeleteQuestionResponse,
  EditQuestionRequest,
  QuestionBankResponse,
  QuestionChange,
  QuestionChangeRequest,
  QuestionChangesResponse,
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
  one: (id: string) => [...QUESTIONS, 'one', id] as const,
  versions: (id: string) => [...QUESTIONS, 'one', id, 'versions'] as const,
  changes: () => [...QUESTIONS, 'changes'] as const,
  // Below feedback, so that a report that comes in is shown at once.
  reports: (id: number) => ['admin', 'feedback', 'of-question', id] as const,
};

/** The topics and languages that there are. */
export const filtersQuery = queryOptions({
  queryKey: questionKeys.filters(),
  queryFn: ({ signal }) =>
    api<QuestionFiltersResponse>('/questions/filters', { signedIn: true, signal }),
});

/** A question by its id or uuid. */
export const questionQuery = (id: string) =>
  queryOptions({
    queryKey: questionKeys.one(id),
    queryFn: ({ signal }) =>
      api<BankQuestion>(`/questions/${encodeURIComponent(id)}`, { signedIn: true, signal }),
  });

/** What it is and was, the newest version first. */
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: questionKeys.versions(id),
    queryFn: async ({ signal }) => {
      const path = `/questions/${encodeURIComponent(id)}/versions`;
      const { versions } = await api<QuestionVersionsResponse>(path, { signedIn: true, signal });
      return versions;
    },
  });

/** A page of the questions that match; the page before stays until it is here. */
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

/** What learners have reported about a question, the newest first. */
export const reportsQuery = (id: number) =>
  queryOptions({
    queryKey: questionKeys.reports(id),
    queryFn: ({ signal }) =>
      api<FeedbackResponse>(`/admin/feedback?question_id=${id}`, { signedIn: true, signal }),
  });

/** Replaces what a question says; 409 `question_changed` when another did so first. */
export function editQuestion(id: number, body: EditQuestionRequest): Promise<BankQuestion> {
  return api(`/questions/${id}`, { method: 'PUT', signedIn: true, body });
}

export function changeTopic(id: number, topic: string): Promise<BankQuestion> {
  return api(`/questions/${id}/topic`, { method: 'PUT', signedIn: true, body: { topic } });
}

/** Lets quizzes draw a question, or no more. */
export function validateQuestion(id: number, validated: boolean): Promise<BankQuestion> {
  return api(`/questions/${id}/validate`, { method: 'POST', signedIn: true, body: { validated } });
}

/** A question that quizzes have is retired, another one is gone. */
export function deleteQuestion(id: number): Promise<DeleteQuestionResponse> {
  return api(`/questions/${id}`, { method: 'DELETE', signedIn: true });
}

export function restoreQuestion(id: number): Promise<BankQuestion> {
  return api(`/questions/${id}/restore`, { method: 'POST', signedIn: true });
}

/** Live updates come more often; this is for when they do not come. */
const POLL_MS = 2_000;

/** Over already when these are few, else it goes on in the background. */
export function changeQuestions(body: QuestionChangeRequest): Promise<QuestionChange> {
  return api('/admin/question-changes', { method: 'POST', signedIn: true, body });
}

/** Stops it half way, or takes back what it did. */
export function actOnChange(id: string, action: 'cancel' | 'undo'): Promise<QuestionChange> {
  return api(`/admin/question-changes/${id}/${action}`, { method: 'POST', signedIn: true });
}

/** The latest changes of many questions, read again while one of them goes on. */
export const changesQuery = queryOptions({
  queryKey: questionKeys.changes(),
  queryFn: async ({ signal }) => {
    const options = { signedIn: true, signal };
    return (await api<QuestionChangesResponse>('/admin/question-changes', options)).changes;
  },
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? POLL_MS : false),
});

export type ExportFormat = 'json' | 'csv';

/** Saves the questions that match as a file that import takes as it is. */
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

/** Whether there is anything that could be taken back. */
export function canUndo({ state, changed }: QuestionChange): boolean {
  return (state === 'completed' || state === 'cancelled') && changed > 0;
}
