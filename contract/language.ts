// The languages of screens and mails. The languages of questions are data, see `settings.ts`.

export const languages = ['no', 'en'] as const;
export type AppLanguage = (typeof languages)[number];

/** The language for users whose languages are unknown or not supported. */
export const DEFAULT_LANGUAGE: AppLanguage = 'no';

/** The cookie with the chosen language. The name is the default of i18next's language detector. */
export const LANGUAGE_COOKIE = 'i18next';

/** Maps `nb`, `nn` and `no`, which Norwegian browsers send, to our one Norwegian language `no`. */
export function toAppLanguage(code: string): string {
  const base = code.toLowerCase().split(/[-_]/)[0] ?? code;
  return ['nb', 'nn', 'no'].includes(base) ? 'no' : base;
}

/** The first of the codes, in order of preference, that is one of our languages. */
export function firstAppLanguage(codes: readonly string[]): AppLanguage {
  const preferred = codes.map(toAppLanguage);
  return (
    languages.find((language) => language === preferred.find(isAppLanguage)) ?? DEFAULT_LANGUAGE
  );
}

function isAppLanguage(code: string): boolean {
  return languages.some((language) => language === code);
}

/** The language tag for `<html lang>`, Intl and speech synthesis. */
export function languageTag(language: string): 'nb' | 'en' {
  return toAppLanguage(language) === 'en' ? 'en' : 'nb';
}

/** A canonical BCP 47 language code: language, script, region, such as `sr-Latn`. */
export const LANGUAGE_CODE = '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$';
