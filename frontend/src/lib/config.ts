import type { ConfigResponse } from '@proveklar/contract/config.ts';
import type { PageSlots } from '@proveklar/contract/page.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api-client.ts';

/** The settings of this installation, read at run time, so that one build serves all. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  // Not cancelled when a part of the page that reads it is gone: the session waits for it, too.
  queryFn: () => api<ConfigResponse>('/config'),
  staleTime: 5 * 60_000,
});

/**
 * A text that is unknown when the pages are prerendered: the build leaves a slot, which the gateway fills
 * with the text when it serves the page.
 */
export function slot(name: keyof PageSlots, text: string): string {
  return import.meta.env.SSR ? `{{${name}}}` : text;
}
