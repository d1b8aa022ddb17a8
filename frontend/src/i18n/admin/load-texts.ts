import { addTexts } from '#i18n/i18n.ts';

/** Makes the portal's texts available, now and in whichever language is chosen later. */
export function loadAdminTexts(): Promise<void> {
  return addTexts('admin', { no: () => import('./no.ts'), en: () => import('./en.ts') });
}
