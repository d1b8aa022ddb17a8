import { parseCookie } from 'cookie';
import Negotiator from 'negotiator';
import {
  type AppLanguage,
  firstAppLanguage,
  LANGUAGE_COOKIE,
} from '@proveklar/contract/language.ts';

interface LanguageHints {
  /** `lng` of the query. */
  query?: unknown;
  cookie?: string | undefined;
  acceptLanguage?: string | undefined;
}

/**
 * The language of a page: from the address, the cookie or Accept-Language, in the order that the
 * frontend uses too. The frontend corrects it where the browser has stored another choice.
 */
export function pickLanguage({ query, cookie, acceptLanguage }: LanguageHints): AppLanguage {
  const requested = [query].flat().at(-1);
  const chosen = cookieOf(cookie, LANGUAGE_COOKIE);
  const candidates = [requested, chosen, ...byPreference(acceptLanguage ?? '')];
  return firstAppLanguage(candidates.filter((candidate) => typeof candidate === 'string'));
}

/** "nb;q=0.5, en" → en, nb. */
function byPreference(acceptLanguage: string): string[] {
  return new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages();
}

export function cookieOf(header: string | undefined, name: string): string | undefined {
  return parseCookie(header ?? '')[name];
}
