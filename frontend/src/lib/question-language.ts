import type { OfferedLanguage } from '@proveklar/contract/settings.ts';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from './config.ts';

// The languages of questions are data, known by their BCP 47 codes; those of the screens are
// `contract/language.ts`.

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

/** What an address or a browser's storage may name; the service knows which there are. */
export function toLanguageCode(value: unknown): string | undefined {
  const isCode =
    typeof value === 'string' &&
    /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?$/u.test(value);
  return isCode ? value : undefined;
}

/** The attributes of an element whose text is a question's: a browser and a voice know the language. */
export function textIn(code: string): { lang: string; dir: 'ltr' | 'rtl' } {
  const { script = '' } = new Intl.Locale(toLanguageCode(code) ?? 'und').maximize();
  return { lang: questionTag(code), dir: RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr' };
}

/** The language tag of a question: `no` of the bank is bokmål. */
export const questionTag = (code: string): string => (code === 'no' ? 'nb' : code);

/**
 * What a language is called in the language of the screen, in the middle of a sentence: "polsk", "Polish";
 * its code where no name is known.
 */
export function languageInWords(code: string, screen: string): string {
  const names = new Intl.DisplayNames([screen === 'en' ? 'en' : 'nb'], { type: 'language' });
  return toLanguageCode(code) === undefined ? code : (names.of(code) ?? code);
}

/** The same, alone: "Polsk". */
export function languageName(code: string, screen: string): string {
  const name = languageInWords(code, screen);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** As long as the configuration is on its way, and from a gateway of the version before. */
const AT_FIRST: OfferedLanguage[] = [
  { code: 'no', name: 'Norsk', direction: 'ltr' },
  { code: 'en', name: 'English', direction: 'ltr' },
];

/** The languages in which learners can be asked, Norwegian first. */
export function useOfferedLanguages(): OfferedLanguage[] {
  const { data } = useQuery(configQuery);
  return (data as { languages?: OfferedLanguage[] } | undefined)?.languages ?? AT_FIRST;
}
