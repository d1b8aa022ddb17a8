import type {
  CorrectKeyRequest,
  CorrectKeyResponse,
  QualityReason,
} from '@proveklar/contract/question-quality.ts';
import { api } from '#lib/api-client.ts';

/** Says that a question was looked at and is right: it leaves the queue for these reasons. */
export async function dismissQuality(id: number, reasons: readonly QualityReason[]): Promise<void> {
  // One after the other: where one of them fails, those before it are done and may be done again.
  for (const reason of reasons) {
    const path = `/admin/quality/${id}/dismiss`;
    await api(path, { method: 'POST', signedIn: true, body: { reason } });
  }
}

/** Makes another option the right one; what was answered is regraded in the background. */
export function correctKey(id: number, body: CorrectKeyRequest): Promise<CorrectKeyResponse> {
  return api(`/questions/${id}/correct-key`, { method: 'POST', signedIn: true, body });
}
