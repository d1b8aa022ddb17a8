import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { type AppLanguage, languages, languageTag } from './language.ts';

export function currentLanguage(): AppLanguage {
  return i18next.resolvedLanguage === 'en' ? 'en' : 'no';
}

type Texts = Record<AppLanguage, () => Promise<{ default: object }>>;

// One language is loaded, and the page that the server sent preloads it.
const texts: Texts = { no: () => import('./no.json'), en: () => import('./en.json') };
const namespaces = new Map([['translation', texts]]);

async function loadTexts(language: AppLanguage): Promise<void> {
  await Promise.all(
    Array.from(namespaces, async ([namespace, load]) => {
      if (i18next.hasResourceBundle(language, namespace)) return;
      const { default: bundle } = await load[language]();
      i18next.addResourceBundle(language, namespace, bundle);
    }),
  );
}

/** Adds texts that only some pages need; they too follow the language that is shown. */
export async function addTexts(namespace: string, load: Texts): Promise<void> {
  namespaces.set(namespace, load);
  await loadTexts(currentLanguage());
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
