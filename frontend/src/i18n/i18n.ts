import i18next from 'i18next';
import LanguageDetector from 'i18next-browser-languagedetector';
import { initReactI18next } from 'react-i18next';
import en from './en.json';
import no from './no.json';

export const languages = ['no', 'en'] as const;
export type AppLanguage = (typeof languages)[number];

/** Norwegian browsers say `nb`, `nn` or `no`; our one Norwegian text is called `no`. */
function toAppLanguage(code: string): string {
  const base = code.toLowerCase().split('-')[0] ?? code;
  return ['nb', 'nn', 'no'].includes(base) ? 'no' : base;
}

/** What goes into `<html lang>` and to Intl: the language tag that a browser and a voice know. */
export function languageTag(language: string): 'nb' | 'en' {
  return toAppLanguage(language) === 'en' ? 'en' : 'nb';
}

export function currentLanguage(): AppLanguage {
  return i18next.resolvedLanguage === 'en' ? 'en' : 'no';
}

// The detector reads <html lang> last, and that says Norwegian: a browser in a third language
// gets the specified default language, while a missing text falls back to English.
void i18next
  .use(LanguageDetector)
  .use(initReactI18next)
  .init({
    resources: { no: { translation: no }, en: { translation: en } },
    supportedLngs: [...languages],
    fallbackLng: 'en',
    initAsync: false,
    interpolation: { escapeValue: false },
    detection: {
      order: ['querystring', 'cookie', 'localStorage', 'sessionStorage', 'navigator', 'htmlTag'],
      caches: ['localStorage'],
      convertDetectedLanguage: toAppLanguage,
    },
  });

function updateHtmlLang(language: string) {
  document.documentElement.lang = languageTag(language);
}
updateHtmlLang(currentLanguage());
i18next.on('languageChanged', updateHtmlLang);
