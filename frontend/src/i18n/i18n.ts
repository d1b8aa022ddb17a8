import i18next from 'i18next';
import LanguageDetector from 'i18next-browser-languagedetector';
import { initReactI18next } from 'react-i18next';
import en from './en.json';
import { type AppLanguage, languages, languageTag, toAppLanguage } from './language.ts';
import no from './no.json';

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
