import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';
import type { LegalDocument, LegalDocumentName } from './legal-document.ts';
import { readLegalDocument } from './read-document.ts';

/** A loaded document in the language of the screen. */
export function useLegalDocument(name: LegalDocumentName): LegalDocument {
  // So that it follows when another language is chosen.
  useTranslation();
  return readLegalDocument(name, currentLanguage());
}
