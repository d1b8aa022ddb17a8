import { loadTexts } from '#i18n/i18n.ts';
import { type LegalDocument, type LegalDocumentName, namespaceOf } from './legal-document.ts';

const files = import.meta.glob<{ default: LegalDocument }>('./texts/*/*.ts');

/** Makes a document available, now and in whichever language is chosen later. */
export function loadLegalDocument(name: LegalDocumentName): Promise<void> {
  return loadTexts(namespaceOf(name), (language) => files[`./texts/${language}/${name}.ts`]!());
}
