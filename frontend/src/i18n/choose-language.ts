import {
  type AppLanguage,
  firstAppLanguage,
  LANGUAGE_COOKIE,
  toAppLanguage,
} from '@proveklar/contract/language.ts';
import LanguageDetector from 'i18next-browser-languagedetector';
import { currentLanguage, showLanguage } from './i18n.ts';

/** Shows a language, and stores it. */
export async function chooseLanguage(language: AppLanguage): Promise<void> {
  rememberLanguage(language, { chosen: true });
  dropFromAddress();
  await showLanguage(language);
}

/** `?lng=` has precedence over a stored choice, so a reload would bring its language back. */
function dropFromAddress() {
  const address = new URL(window.location.href);
  if (!address.searchParams.has('lng')) return;
  address.searchParams.delete('lng');
  window.history.replaceState(window.history.state, '', address);
}

/**
 * Applies this browser's own language, once. A page is hydrated in the language that the server chose,
 * which cannot read the browser's storage. If that has another language, the page changes to it, and a
 * cookie tells the server for the next page.
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
  // Makes the detector return all languages that it finds, not only the first.
  { languageUtils: { getBestMatchFromCodes: true } },
  {
    // The gateway uses the same order of what it can read: the query, the cookie, the browser's languages.
    order: ['querystring', 'cookie', 'localStorage', 'sessionStorage', 'navigator', 'htmlTag'],
    lookupCookie: LANGUAGE_COOKIE,
    cookieMinutes: 365 * 24 * 60,
    // Not `strict`: a page opened from a mail must get the cookie, too.
    cookieOptions: { path: '/', sameSite: 'lax' },
    convertDetectedLanguage: toAppLanguage,
  },
);

/** The language of this browser: from the address, chosen before, or the browser's own. */
export function detectLanguage(): AppLanguage {
  const found = detector.detect() ?? [];
  return firstAppLanguage(typeof found === 'string' ? [found] : found);
}

/** Stores a language in this browser; a chosen one also in a cookie for the server. */
function rememberLanguage(language: AppLanguage, { chosen }: { chosen: boolean }): void {
  detector.cacheUserLanguage(language, chosen ? ['localStorage', 'cookie'] : ['localStorage']);
}
