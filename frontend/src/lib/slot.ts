import type { PageSlots } from '@proveklar/contract/page.ts';

/**
 * A text that is not known when the pages are built: the build leaves a slot there, which the gateway fills
 * with the same text when it serves the page.
 */
export function slot(name: keyof PageSlots, text: string): string {
  return import.meta.env.SSR ? `{{${name}}}` : text;
}
