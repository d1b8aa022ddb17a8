import { addTexts } from '#i18n/i18n.ts';

/** Makes the texts of practising available, now and in whichever language is chosen later. */
export function loadLearnerTexts(): Promise<void> {
  return addTexts('learner', { no: () => import('./no.ts'), en: () => import('./en.ts') });
}
