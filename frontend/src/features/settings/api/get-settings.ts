import type { SettingsResponse } from '@proveklar/contract/settings.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { settingsKeys } from '../keys.ts';

export const settingsQuery = queryOptions({
  queryKey: settingsKeys.current,
  queryFn: ({ signal }) => api<SettingsResponse>('/admin/settings', { signedIn: true, signal }),
});
