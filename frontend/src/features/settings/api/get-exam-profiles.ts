import type { ExamProfilesResponse } from '@proveklar/contract/settings.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { settingsKeys } from '../keys.ts';

export const examProfilesQuery = queryOptions({
  queryKey: settingsKeys.examProfiles,
  queryFn: ({ signal }) =>
    api<ExamProfilesResponse>('/admin/exam-profiles', { signedIn: true, signal }),
});
