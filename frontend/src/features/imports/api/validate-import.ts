import type { QuestionChange, QuestionChangeRequest } from '@proveklar/contract/questions.ts';
import { api } from '#lib/api-client.ts';

/** Begins to validate every question of an import; it goes on by itself. */
export function validateImport(id: string): Promise<QuestionChange> {
  const body: QuestionChangeRequest = { action: 'validate', selection: { import_id: id } };
  return api('/admin/question-changes', { method: 'POST', signedIn: true, body });
}
