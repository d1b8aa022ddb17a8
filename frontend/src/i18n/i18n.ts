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

/** Loads the texts of a page, now and whenever another language is chosen. */
export function loadTexts(
  namespace: 'admin' | 'codes' | 'landing' | 'learner' | 'purchase',
): Promise<void>;
/** The same for texts in a feature's own files. */
export function loadTexts(namespace: string, load: LoadBundle): Promise<void>;
export function loadTexts(namespace: string, load = fileOf(namespace)): Promise<void> {
  namespaces.set(namespace, load);
  return loadLanguage(currentLanguage());
}

/** Starts the translations with a language, and loads its texts, which the first page waits for. */
export async function startTexts(language: AppLanguage): Promise<void> {
  // Only one language is loaded, and the page of the server preloads it.
  const { default: translation } = await fileOf('translation')(language);
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation } },
    supportedLngs: [...languages],
    fallbackLng: 'en',
    interpolation: { escapeValue: false },
    react: { bindI18nStore: 'added' },
    // English is the fallback, loaded when the first text is missing.
    saveMissing: true,
    missingKeyHandler: () => void loadLanguage('en'),
  });
  updateHtmlLang(language);
  i18next.on('languageChanged', updateHtmlLang);
}

const preparations = new Set<() => Promise<void>>();

/** Has something done before each change of the language. @returns a function that ends this */
export function beforeLanguageChange(prepare: () => Promise<void>): () => void {
  preparations.add(prepare);
  return () => void preparations.delete(prepare);
}

/** Changes the language of the page. */
export async function showLanguage(language: AppLanguage): Promise<void> {
  await Promise.all(Array.from(preparations, (prepare) => prepare()));
  await loadLanguage(language);
  await i18next.changeLanguage(language);
}

/** Loads the requested texts that this language does not have yet. */
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
  // There is no document while pages are prerendered.
  if (typeof document !== 'undefined') document.documentElement.lang = languageTag(language);
}
