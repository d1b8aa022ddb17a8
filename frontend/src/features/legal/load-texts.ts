import { addTexts } from '#i18n/i18n.ts';
import type { AppLanguage } from '#i18n/language.ts';
import { type LegalDocument, type LegalDocumentName, namespaceOf } from './legal-document.ts';

type Texts = Record<AppLanguage, () => Promise<{ default: LegalDocument }>>;

// Each is loaded for itself, in the language that is shown.
const texts: Record<LegalDocumentName, Texts> = {
  privacy: { no: () => import('./texts/no/privacy.ts'), en: () => import('./texts/en/privacy.ts') },
  terms: { no: () => import('./texts/no/terms.ts'), en: () => import('./texts/en/terms.ts') },
  cookies: { no: () => import('./texts/no/cookies.ts'), en: () => import('./texts/en/cookies.ts') },
  accessibility: {
    no: () => import('./texts/no/accessibility.ts'),
    en: () => import('./texts/en/accessibility.ts'),
  },
};

/** Makes a document available, now and in whichever language is chosen later. */
export function loadLegalDocument(name: LegalDocumentName): Promise<void> {
  return addTexts(namespaceOf(name), texts[name]);
}
