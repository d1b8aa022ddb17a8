import type {
  QuestionChange,
  QuestionChangeRequest,
  QuestionChangesResponse,
} from '@proveklar/contract/questions.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { isUnderWay } from '../change-state.ts';
import { questionKeys } from '../keys.ts';

/** Live updates come more often; this is for when they do not come. */
const POLL_MS = 2_000;

/** Over already when these are few, else it goes on by itself. */
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
