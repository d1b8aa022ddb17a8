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

/** "nb;q=0.5, en" → en, nb; what has no weight comes as written. */
function byPreference(header: string): string[] {
  return header
    .split(',')
    .map((part) => {
      const [code = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { code, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ code }) => code);
}

/** The value of a cookie, as it was sent: nothing is decoded. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([key]) => key === name)?.[1];
}
