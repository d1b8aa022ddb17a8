// The gateway picks the language of a page by the same rules.
export {
  type AppLanguage,
  firstAppLanguage,
  LANGUAGE_COOKIE,
  languages,
  languageTag,
  toAppLanguage,
} from '@proveklar/contract/language.ts';
