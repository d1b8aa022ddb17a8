import type { LanguagesResponse } from '@proveklar/contract/settings.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { settingsKeys } from '../keys.ts';

/** The languages of the question bank, and whether learners are asked in them. */
export const languagesQuery = queryOptions({
  queryKey: settingsKeys.languages,
  queryFn: ({ signal }) => api<LanguagesResponse>('/admin/languages', { signedIn: true, signal }),
});

/** Offers a language to learners, or withdraws it. Safe to send again. */
export function offerLanguage(code: string, offered: boolean): Promise<LanguagesResponse> {
  const path = `/admin/languages/${encodeURIComponent(code)}`;
  return api(path, { method: 'PUT', body: { offered }, signedIn: true });
}
