import type { AppLanguage } from '@proveklar/contract/language.ts';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { currentLanguage, loadTexts } from '#i18n/i18n.ts';
import type { LegalDocument, LegalDocumentName } from './legal-document.ts';

const files = import.meta.glob<{ default: LegalDocument }>('./texts/*/*.ts');

/** The i18n namespace of a loaded document. */
const namespaceOf = (name: LegalDocumentName) => `legal-${name}`;

/** Loads a document, now and whenever another language is chosen. */
export function loadLegalDocument(name: LegalDocumentName): Promise<void> {
  return loadTexts(namespaceOf(name), (language) => files[`./texts/${language}/${name}.ts`]!());
}

/** A loaded document, in a language that is or was shown. */
export function readLegalDocument(name: LegalDocumentName, language: AppLanguage): LegalDocument {
  return i18next.getResourceBundle(language, namespaceOf(name)) as LegalDocument;
}

/** A loaded document in the language of the page. */
export function useLegalDocument(name: LegalDocumentName): LegalDocument {
  // Renders again when the language changes.
  useTranslation();
  return readLegalDocument(name, currentLanguage());
}
