import type { AppLanguage } from '@proveklar/contract/language.ts';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { currentLanguage, loadTexts } from '#i18n/i18n.ts';
import type { LegalDocument, LegalDocumentName } from './legal-document.ts';

const files = import.meta.glob<{ default: LegalDocument }>('./texts/*/*.ts');

/** Where a loaded document is kept among the texts. */
const namespaceOf = (name: LegalDocumentName) => `legal-${name}`;

/** Makes a document available, now and in whichever language is chosen later. */
export function loadLegalDocument(name: LegalDocumentName): Promise<void> {
  return loadTexts(namespaceOf(name), (language) => files[`./texts/${language}/${name}.ts`]!());
}

/** A document that was loaded, in a language that is or was shown. */
export function readLegalDocument(name: LegalDocumentName, language: AppLanguage): LegalDocument {
  return i18next.getResourceBundle(language, namespaceOf(name)) as LegalDocument;
}

/** A loaded document in the language of the screen. */
export function useLegalDocument(name: LegalDocumentName): LegalDocument {
  // So that it follows when another language is chosen.
  useTranslation();
  return readLegalDocument(name, currentLanguage());
}
