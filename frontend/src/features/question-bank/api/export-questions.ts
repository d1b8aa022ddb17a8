import type { QuestionFilter } from '@proveklar/contract/questions.ts';
import { request } from '#lib/api-client.ts';
import { saveFile } from '#lib/save-file.ts';
import { toParameters } from '../bank-search.ts';

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
