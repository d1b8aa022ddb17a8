import {
  type AppLanguage,
  firstAppLanguage,
  LANGUAGE_COOKIE,
  toAppLanguage,
} from '@proveklar/contract/language.ts';
import LanguageDetector from 'i18next-browser-languagedetector';
import { currentLanguage, showLanguage } from './i18n.ts';

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

const detector = new LanguageDetector(
  // Makes it answer with all that it finds, not only with the first.
  { languageUtils: { getBestMatchFromCodes: true } },
  {
    // The gateway does the same with what it is sent: the query, the cookie, the browser's languages.
    order: ['querystring', 'cookie', 'localStorage', 'sessionStorage', 'navigator', 'htmlTag'],
    lookupCookie: LANGUAGE_COOKIE,
    cookieMinutes: 365 * 24 * 60,
    // Not strict: the first page opened from a mail has to have the language as well.
    cookieOptions: { path: '/', sameSite: 'lax' },
    convertDetectedLanguage: toAppLanguage,
  },
);

/** The language that this browser wants: asked for, chosen before, or its own. */
export function detectLanguage(): AppLanguage {
  const found = detector.detect() ?? [];
  return firstAppLanguage(typeof found === 'string' ? [found] : found);
}

/** Remembers a language in this browser; one that was chosen, so that the server knows it too. */
function rememberLanguage(language: AppLanguage, { chosen }: { chosen: boolean }): void {
  detector.cacheUserLanguage(language, chosen ? ['localStorage', 'cookie'] : ['localStorage']);
}
