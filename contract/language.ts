// The languages of screens and mails. Those of questions are data: `settings.ts`.

export const languages = ['no', 'en'] as const;
export type AppLanguage = (typeof languages)[number];

/** The language for people whose languages we do not have, or do not know. */
export const DEFAULT_LANGUAGE: AppLanguage = 'no';

/** The cookie that carries the language that a person chose: its name is the detector's default. */
export const LANGUAGE_COOKIE = 'i18next';

/** Norwegian browsers say `nb`, `nn` or `no`; our one Norwegian text is called `no`. */
export function toAppLanguage(code: string): string {
  const base = code.toLowerCase().split(/[-_]/)[0] ?? code;
  return ['nb', 'nn', 'no'].includes(base) ? 'no' : base;
}

/** The first of the codes, best first, that is a language of ours. */
export function firstAppLanguage(codes: readonly string[]): AppLanguage {
  const wanted = codes.map(toAppLanguage);
  return languages.find((language) => language === wanted.find(isAppLanguage)) ?? DEFAULT_LANGUAGE;
}

function isAppLanguage(code: string): boolean {
  return languages.some((language) => language === code);
}

/** What goes into `<html lang>` and to Intl: the language tag that a browser and a voice know. */
export function languageTag(language: string): 'nb' | 'en' {
  return toAppLanguage(language) === 'en' ? 'en' : 'nb';
}

/** A language code of BCP 47: language, script, region, as it is written canonically: `sr-Latn`. */
export const LANGUAGE_CODE = '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$';
