import type { ExamProfile, ExamProfileRequest } from '@proveklar/contract/settings.ts';
import { api } from '#lib/api-client.ts';

export function updateExamProfile(
  name: ExamProfile['name'],
  figures: ExamProfileRequest,
): Promise<ExamProfile> {
  return api(`/admin/exam-profiles/${name}`, { method: 'PUT', body: figures, signedIn: true });
}
