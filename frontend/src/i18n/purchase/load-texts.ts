import { addTexts } from '#i18n/i18n.ts';

/** Makes the texts about what was bought available, now and in whichever language is chosen later. */
export function loadPurchaseTexts(): Promise<void> {
  return addTexts('purchase', { no: () => import('./no.ts'), en: () => import('./en.ts') });
}
