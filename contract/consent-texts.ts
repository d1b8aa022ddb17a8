import type { AppLanguage } from './language.ts';

/**
 * The exact text that a learner consents to before paying: that the service starts at once, and what this
 * means for the right of withdrawal (angrerettloven § 19, § 22 and § 26). The version is stored with the
 * payment. A published text is never changed: a new wording gets a new version.
 */
export const CONSENT_TEXTS = {
  'no-2026-11': {
    language: 'no',
    text: 'Jeg vil at tilgangen starter med en gang. Jeg kan angre kjøpet i 14 dager. Angrer jeg, betaler jeg bare for dagene jeg har hatt tilgang.',
  },
  'no-2026-11-b': {
    language: 'no',
    text: 'Jeg vil at tilgangen starter med en gang. Jeg kan angre kjøpet i 14 dager. Hvis jeg angrer, betaler jeg bare for dagene jeg har hatt tilgang.',
  },
  'en-2026-11': {
    language: 'en',
    text: 'I want my access to start at once. I can withdraw from the purchase for 14 days. If I withdraw, I only pay for the days I have had access.',
  },
} as const satisfies Record<string, { language: AppLanguage; text: string }>;
export type ConsentVersion = keyof typeof CONSENT_TEXTS;

/** The version that is shown now, for each language. */
export const CURRENT_CONSENT = { no: 'no-2026-11-b', en: 'en-2026-11' } as const satisfies Record<
  AppLanguage,
  ConsentVersion
>;

/**
 * The exact text with which a learner asks for reminders by mail. The version is stored with the plan. A
 * published text is never changed: a new wording gets a new version.
 */
export const REMINDER_TEXTS = {
  'reminders-no-2026-11': {
    language: 'no',
    text: 'Send meg en e-post på dager der jeg ikke har nådd målet mitt. Jeg får høyst én e-post om dagen, omtrent klokka 17, og kan stoppe når som helst, også med en lenke i e-posten.',
  },
  'reminders-en-2026-11': {
    language: 'en',
    text: 'Send me an email on days when I have not reached my goal. I get one email a day at most, at about 5 pm, and can stop at any time, also with a link in the email.',
  },
} as const satisfies Record<string, { language: AppLanguage; text: string }>;
export type ReminderVersion = keyof typeof REMINDER_TEXTS;

/**
 * The exact text with which a learner agrees to news by mail (markedsføringsloven § 15). The version is stored
 * with the consent. A published text is never changed: a new wording gets a new version.
 */
export const NEWS_TEXTS = {
  'news-no-2026-11': {
    language: 'no',
    text: 'Send meg nyheter fra Prøveklar på e-post, for eksempel om nye spørsmål og tilbud. Jeg får høyst én e-post i uka, og kan stoppe når som helst, også med en lenke i e-posten.',
  },
  'news-en-2026-11': {
    language: 'en',
    text: 'Send me news from Prøveklar by email, for example about new questions and offers. I get one email a week at most, and can stop at any time, also with a link in the email.',
  },
} as const satisfies Record<string, { language: AppLanguage; text: string }>;
export type NewsVersion = keyof typeof NEWS_TEXTS;

/** The version that is shown now, for each language. */
export const CURRENT_NEWS_TEXT = {
  no: 'news-no-2026-11',
  en: 'news-en-2026-11',
} as const satisfies Record<AppLanguage, NewsVersion>;

/** The version that is shown now, for each language. */
export const CURRENT_REMINDER_TEXT = {
  no: 'reminders-no-2026-11',
  en: 'reminders-en-2026-11',
} as const satisfies Record<AppLanguage, ReminderVersion>;
