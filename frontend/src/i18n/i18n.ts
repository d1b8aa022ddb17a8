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

/** Two files share the default namespace: the landing page, which most visitors see first, needs only one. */
const DEFAULT_NAMESPACE = 'translation';
const bundles = new Map([[DEFAULT_NAMESPACE, fileOf(DEFAULT_NAMESPACE)]]);
const loaded = new Set<string>();

type TextFile = 'pages' | 'admin' | 'codes' | 'landing' | 'learner' | 'purchase';

/**
 * Loads the texts of a page, now and whenever another language is chosen. `pages` has what every page but the
 * landing page may need, in the default namespace.
 */
export function loadTexts(file: TextFile): Promise<void>;
/** The same for texts in a feature's own files. */
export function loadTexts(namespace: string, load: LoadBundle): Promise<void>;
export function loadTexts(name: string, load = fileOf(name)): Promise<void> {
  bundles.set(name, load);
  return loadLanguage(currentLanguage());
}

/** Starts the translations with a language, and loads its texts, which the first page waits for. */
export async function startTexts(language: AppLanguage): Promise<void> {
  // Only one language is loaded, and the page of the server preloads it.
  const { default: translation } = await fileOf(DEFAULT_NAMESPACE)(language);
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
  // Also after another start, in tests.
  loaded.clear();
  loaded.add(`${DEFAULT_NAMESPACE}.${language}`);
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
    Array.from(bundles, async ([name, load]) => {
      const file = `${name}.${language}`;
      if (loaded.has(file)) return;
      const { default: bundle } = await load(language);
      // Merged: their namespace has the texts of the landing page.
      if (name === 'pages') i18next.addResourceBundle(language, DEFAULT_NAMESPACE, bundle, true);
      else i18next.addResourceBundle(language, name, bundle);
      loaded.add(file);
    }),
  );
}

function updateHtmlLang(language: string) {
  // There is no document while pages are prerendered.
  if (typeof document !== 'undefined') document.documentElement.lang = languageTag(language);
}
