import LanguageDetector from 'i18next-browser-languagedetector';
import { type AppLanguage, firstAppLanguage, LANGUAGE_COOKIE, toAppLanguage } from './language.ts';

const detector = new LanguageDetector(
  // Makes it answer with all that it finds, not only with the first.
  { languageUtils: { getBestMatchFromCodes: true } },
  {
    // The gateway does the same with what it is sent: the query, the cookie, the browser's languages.
    order: ['querystring', 'cookie', 'localStorage', 'sessionStorage', 'navigator', 'htmlTag'],
    lookupCookie: LANGUAGE_COOKIE,
    cookieMinutes: 365 * 24 * 60,
    // Not strict: the first page that somebody opens from a mail has to have the language as well.
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
export function rememberLanguage(language: AppLanguage, { chosen }: { chosen: boolean }): void {
  detector.cacheUserLanguage(language, chosen ? ['localStorage', 'cookie'] : ['localStorage']);
}
