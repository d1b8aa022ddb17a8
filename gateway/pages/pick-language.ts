import { type AppLanguage, firstAppLanguage, LANGUAGE_COOKIE } from '#contract/language.ts';

export interface LanguageWishes {
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
  const chosen = valueOf(cookie ?? '', LANGUAGE_COOKIE);
  const wishes = [asked, chosen, ...byPreference(acceptLanguage ?? '')];
  return firstAppLanguage(wishes.filter((wish) => typeof wish === 'string'));
}

function valueOf(cookies: string, name: string): string | undefined {
  const pairs = cookies.split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([key]) => key === name)?.[1];
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
