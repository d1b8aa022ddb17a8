import type { AppLanguage } from '@proveklar/contract/language.ts';
import i18next from 'i18next';
import { type LegalDocument, type LegalDocumentName, namespaceOf } from './legal-document.ts';

/** A document that was loaded, in a language that is or was shown. */
export function readLegalDocument(name: LegalDocumentName, language: AppLanguage): LegalDocument {
  return i18next.getResourceBundle(language, namespaceOf(name)) as LegalDocument;
}
