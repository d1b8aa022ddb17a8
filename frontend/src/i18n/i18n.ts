import { type AppLanguage, languages, languageTag } from '@proveklar/contract/language.ts';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

export function currentLanguage(): AppLanguage {
  return i18next.resolvedLanguage === 'en' ? 'en' : 'no';
}

type LoadBundle = (language: AppLanguage) => Promise<{ default: object }>;

const files = import.meta.glob<{ default: object }>('../texts/*.json');
const fileOf =
  (namespace: string): LoadBundle =>
  (language) =>
    files[`../texts/${namespace}.${language}.json`]!();

const namespaces = new Map([['translation', fileOf('translation')]]);

/** Makes the texts of a page available, now and in whichever language is chosen later. */
export function loadTexts(namespace: 'admin' | 'learner' | 'purchase'): Promise<void>;
/** The same for texts that a feature keeps itself. */
export function loadTexts(namespace: string, load: LoadBundle): Promise<void>;
export function loadTexts(namespace: string, load = fileOf(namespace)): Promise<void> {
  namespaces.set(namespace, load);
  return loadLanguage(currentLanguage());
}

/** Makes the texts of a language available. The first one is waited for before anything is shown. */
export async function startTexts(language: AppLanguage): Promise<void> {
  // One language is loaded, and the page that the server sent preloads it.
  const { default: translation } = await fileOf('translation')(language);
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation } },
    supportedLngs: [...languages],
    fallbackLng: 'en',
    interpolation: { escapeValue: false },
    react: { bindI18nStore: 'added' },
    // English stands in for a text that is missing, so it is loaded when the first one is.
    saveMissing: true,
    missingKeyHandler: () => void loadLanguage('en'),
  });
  updateHtmlLang(language);
  i18next.on('languageChanged', updateHtmlLang);
}

/** Shows another language from now on. */
export async function showLanguage(language: AppLanguage): Promise<void> {
  await loadLanguage(language);
  await i18next.changeLanguage(language);
}

/** Loads what this language lacks of the texts that were asked for. */
async function loadLanguage(language: AppLanguage): Promise<void> {
  await Promise.all(
    Array.from(namespaces, async ([namespace, load]) => {
      if (i18next.hasResourceBundle(language, namespace)) return;
      const { default: bundle } = await load(language);
      i18next.addResourceBundle(language, namespace, bundle);
    }),
  );
}

function updateHtmlLang(language: string) {
  // There is no document while pages are built.
  if (typeof document !== 'undefined') document.documentElement.lang = languageTag(language);
}
