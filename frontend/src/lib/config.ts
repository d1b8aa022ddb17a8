import type { ConfigResponse } from '@proveklar/contract/config.ts';
import type { PageSlots } from '@proveklar/contract/page.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api-client.ts';

/** Settings of this environment, read at run time: one build serves them all. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => api<ConfigResponse>('/config', { signal }),
  staleTime: 5 * 60_000,
});

/**
 * A text that is not known when the pages are built: the build leaves a slot there, which the gateway fills
 * with the same text when it serves the page.
 */
export function slot(name: keyof PageSlots, text: string): string {
  return import.meta.env.SSR ? `{{${name}}}` : text;
}
