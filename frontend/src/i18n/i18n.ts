import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { type AppLanguage, languages, languageTag } from './language.ts';

export function currentLanguage(): AppLanguage {
  return i18next.resolvedLanguage === 'en' ? 'en' : 'no';
}

// One language is loaded, and the page that the server sent preloads it.
const texts = { no: () => import('./no.json'), en: () => import('./en.json') };

async function loadTexts(language: AppLanguage): Promise<void> {
  if (i18next.hasResourceBundle(language, 'translation')) return;
  const { default: translation } = await texts[language]();
  i18next.addResourceBundle(language, 'translation', translation);
}

/** Makes the texts of a language available. The first one is waited for before anything is shown. */
export async function startTexts(language: AppLanguage): Promise<void> {
  const { default: translation } = await texts[language]();
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation } },
    supportedLngs: [...languages],
    fallbackLng: 'en',
    interpolation: { escapeValue: false },
    react: { bindI18nStore: 'added' },
    // English stands in for a text that is missing, so it is loaded when the first one is.
    saveMissing: true,
    missingKeyHandler: () => void loadTexts('en'),
  });
  updateHtmlLang(language);
  i18next.on('languageChanged', updateHtmlLang);
}

/** Shows another language from now on. */
export async function showLanguage(language: AppLanguage): Promise<void> {
  await loadTexts(language);
  await i18next.changeLanguage(language);
}

function updateHtmlLang(language: string) {
  // There is no document while pages are built.
  if (typeof document !== 'undefined') document.documentElement.lang = languageTag(language);
}
