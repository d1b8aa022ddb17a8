import type { DismissNearDuplicateRequest, Import } from '@proveklar/contract/imports.ts';
import type { QuestionChange, QuestionChangeRequest } from '@proveklar/contract/questions.ts';
import { api } from '#lib/api-client.ts';

/** Ends the search; what was found stays. */
export function cancelSearch(importId: string): Promise<Import> {
  const path = `/admin/imports/${importId}/near-duplicates/cancel`;
  return api(path, { method: 'POST', signedIn: true });
}

/** Says that a question and the one like it are different, or takes that back. */
export function keepBoth(importId: string, question: number, dismissed: boolean): Promise<unknown> {
  const body: DismissNearDuplicateRequest = { dismissed };
  const path = `/admin/imports/${importId}/near-duplicates/${question}/dismiss`;
  return api(path, { method: 'POST', signedIn: true, body });
}

/** As a change of one question, which can be taken back: deleting an unused one could not be. */
export function retireQuestion(question: number): Promise<QuestionChange> {
  const body: QuestionChangeRequest = { action: 'retire', selection: { ids: [question] } };
  return api('/admin/question-changes', { method: 'POST', signedIn: true, body });
}

export function undoRetiring(change: string): Promise<QuestionChange> {
  return api(`/admin/question-changes/${change}/undo`, { method: 'POST', signedIn: true });
}
