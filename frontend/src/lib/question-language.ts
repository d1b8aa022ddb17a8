import type { OfferedLanguage } from '@proveklar/contract/settings.ts';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from './config.ts';

// The languages of questions are data, with BCP 47 codes. The languages of the pages are in
// `contract/language.ts`.

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

/** A language code from an address or storage, if it is well-formed; the server knows which exist. */
export function toLanguageCode(value: unknown): string | undefined {
  const isCode =
    typeof value === 'string' &&
    /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?$/u.test(value);
  return isCode ? value : undefined;
}

/** The `lang` and `dir` attributes of an element with a question's text, for browsers and screen readers. */
export function textIn(code: string): { lang: string; dir: 'ltr' | 'rtl' } {
  const { script = '' } = new Intl.Locale(toLanguageCode(code) ?? 'und').maximize();
  return { lang: questionTag(code), dir: RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr' };
}

/** The language tag of a question: the bank's `no` is bokmål. */
export const questionTag = (code: string): string => (code === 'no' ? 'nb' : code);

/** CLDR says "norsk nynorsk", which is not what people say. */
const SHORT: Record<string, Record<'nb' | 'en', string>> = {
  nb: { nb: 'bokmål', en: 'Bokmål' },
  nn: { nb: 'nynorsk', en: 'Nynorsk' },
};

/**
 * The name of a language in the language of the page, as in the middle of a sentence: "polsk", "Polish"; its
 * code if it has no known name.
 */
export function languageInWords(code: string, screen: string): string {
  const tag = screen === 'en' ? 'en' : 'nb';
  const names = new Intl.DisplayNames([tag], { type: 'language' });
  if (toLanguageCode(code) === undefined) return code;
  return SHORT[code]?.[tag] ?? names.of(code) ?? code;
}

/** The same, but "bokmål" where the bank's `no` stands beside nynorsk, which is Norwegian too. */
export function writtenLanguage(code: string, screen: string): string {
  return languageInWords(questionTag(code), screen);
}

/** The same, capitalised: "Polsk". */
export function languageName(code: string, screen: string): string {
  const name = languageInWords(code, screen);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** While the configuration is being loaded, and with a gateway of the previous version. */
const AT_FIRST: OfferedLanguage[] = [
  { code: 'no', name: 'Norsk', direction: 'ltr', fallback: null },
  { code: 'en', name: 'English', direction: 'ltr', fallback: null },
];

/** The languages in which learners can be asked, Norwegian first. */
export function useOfferedLanguages(): OfferedLanguage[] {
  const { data } = useQuery(configQuery);
  return (data as { languages?: OfferedLanguage[] } | undefined)?.languages ?? AT_FIRST;
}
