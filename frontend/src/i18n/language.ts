export const languages = ['no', 'en'] as const;
export type AppLanguage = (typeof languages)[number];

/** Norwegian browsers say `nb`, `nn` or `no`; our one Norwegian text is called `no`. */
export function toAppLanguage(code: string): string {
  const base = code.toLowerCase().split('-')[0] ?? code;
  return ['nb', 'nn', 'no'].includes(base) ? 'no' : base;
}

/** What goes into `<html lang>` and to Intl: the language tag that a browser and a voice know. */
export function languageTag(language: string): 'nb' | 'en' {
  return toAppLanguage(language) === 'en' ? 'en' : 'nb';
}
