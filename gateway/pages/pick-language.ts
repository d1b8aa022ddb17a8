import { parseCookie } from 'cookie';
import Negotiator from 'negotiator';
import {
  type AppLanguage,
  firstAppLanguage,
  LANGUAGE_COOKIE,
} from '@proveklar/contract/language.ts';

interface LanguageWishes {
  /** `lng` of the query. */
  query?: unknown;
  cookie?: string | undefined;
  acceptLanguage?: string | undefined;
}

/**
 * The language of a page: asked for in the address, chosen before, or the browser's own, in the
 * order in which the frontend looks as well. What a browser keeps to itself it settles later.
 */
export function pickLanguage({ query, cookie, acceptLanguage }: LanguageWishes): AppLanguage {
  const asked = [query].flat().at(-1);
  const chosen = cookieOf(cookie, LANGUAGE_COOKIE);
  const wishes = [asked, chosen, ...byPreference(acceptLanguage ?? '')];
  return firstAppLanguage(wishes.filter((wish) => typeof wish === 'string'));
}

/** "nb;q=0.5, en" → en, nb. */
function byPreference(acceptLanguage: string): string[] {
  return new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages();
}

export function cookieOf(header: string | undefined, name: string): string | undefined {
  return parseCookie(header ?? '')[name];
}
