import type { AppLanguage } from './language.ts';

/**
 * What a learner agrees to before paying, word for word: that the service starts at once, and what
 * that does to the right of withdrawal (angrerettloven § 19, § 22 and § 26). The version is stored with the
 * payment. A text that has been shown is never changed: a new wording gets a new version.
 */
export const CONSENT_TEXTS = {
  'no-2026-11': {
    language: 'no',
    text: 'Jeg vil at tilgangen starter med en gang. Jeg kan angre kjøpet i 14 dager. Angrer jeg, betaler jeg bare for dagene jeg har hatt tilgang.',
  },
  'en-2026-11': {
    language: 'en',
    text: 'I want my access to start at once. I can withdraw from the purchase for 14 days. If I withdraw, I only pay for the days I have had access.',
  },
} as const satisfies Record<string, { language: AppLanguage; text: string }>;
export type ConsentVersion = keyof typeof CONSENT_TEXTS;

/** The wording that is shown now, in each language. */
export const CURRENT_CONSENT = { no: 'no-2026-11', en: 'en-2026-11' } as const satisfies Record<
  AppLanguage,
  ConsentVersion
>;
