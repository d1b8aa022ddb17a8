import { detectLanguage, rememberLanguage } from './detect-language.ts';
import { currentLanguage, showLanguage } from './i18n.ts';
import type { AppLanguage } from './language.ts';

/** Shows a language and keeps to it, whatever the address says. */
export async function chooseLanguage(language: AppLanguage): Promise<void> {
  rememberLanguage(language, { chosen: true });
  dropFromAddress();
  await showLanguage(language);
}

/** `?lng=` comes before all that was chosen: a reload would bring that language back. */
function dropFromAddress() {
  const address = new URL(window.location.href);
  if (!address.searchParams.has('lng')) return;
  address.searchParams.delete('lng');
  window.history.replaceState(window.history.state, '', address);
}

/**
 * A page comes in the language that the server thought right, and is taken over in that one. Only
 * the browser knows what it remembers: if it is another, the page changes then, and the server is
 * told for the next time. Without effect when called again.
 */
export function settleLanguage(): void {
  if (settled) return;
  settled = true;
  const wanted = detectLanguage();
  const differs = wanted !== currentLanguage();
  const asked = new URLSearchParams(window.location.search).has('lng');
  rememberLanguage(wanted, { chosen: differs || asked });
  if (differs) void showLanguage(wanted);
}
let settled = false;
