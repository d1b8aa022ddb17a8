import { loadTexts } from '#i18n/i18n.ts';
import { type LegalDocumentName, namespaceOf } from './legal-document.ts';

/** Makes a document available, now and in whichever language is chosen later. */
export function loadLegalDocument(name: LegalDocumentName): Promise<void> {
  return loadTexts(namespaceOf(name), (language) => import(`./texts/${language}/${name}.ts`));
}
