import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { PageName } from '@proveklar/contract/page.ts';
import i18next from 'i18next';
import type { LegalDocumentName } from '#features/legal/legal-document.ts';
import { readLegalDocument } from '#features/legal/read-document.ts';

// Search engines and shared links show these; the page itself does not, so they are no i18n keys.
const descriptions: Record<AppLanguage, string> = {
  no: 'Øv til samfunnskunnskapsprøven og statsborgerprøven: quiz om hvert tema og praktisk prøve med klokke. Prøv ti spørsmål gratis.',
  en: 'Practise for the Norwegian social studies test and citizenship test: a quiz for each topic and a practice test with a clock. Try ten questions free.',
};

const sampleDescriptions: Record<AppLanguage, string> = {
  no: 'Prøv ti spørsmål til samfunnskunnskapsprøven og statsborgerprøven. Du trenger ikke konto, og du ser svaret med en gang.',
  en: 'Try ten questions for the Norwegian social studies test and the citizenship test. You need no account, and you see the answer at once.',
};

const withoutScripts: Record<AppLanguage, string> = {
  no: 'Denne siden trenger JavaScript. Slå det på i nettleseren, og last siden på nytt.',
  en: 'This page needs JavaScript. Turn it on in your browser, and load the page again.',
};

const LEGAL = {
  personvern: 'privacy',
  vilkar: 'terms',
  cookies: 'cookies',
  tilgjengelighet: 'accessibility',
} as const satisfies Partial<Record<PageName, LegalDocumentName>>;

function legalOf(name: PageName): LegalDocumentName | undefined {
  return Object.hasOwn(LEGAL, name) ? LEGAL[name as keyof typeof LEGAL] : undefined;
}

export interface Head {
  title: string;
  description: string;
  /** What stands on a page that needs them where scripts do not run. */
  withoutScripts: string;
}

/** What a page says beside its content, in the language that is shown now. */
export function headOf(name: PageName, language: AppLanguage): Head {
  return {
    title: `${titleOf(name, language)} – Prøveklar`,
    description: descriptionOf(name, language),
    withoutScripts: withoutScripts[language],
  };
}

/** The same as the page itself will set: a title that changes would be read out twice. */
function titleOf(name: PageName, language: AppLanguage): string {
  const legal = legalOf(name);
  if (legal) return readLegalDocument(legal, language).title;
  const { t } = i18next;
  const titles: Record<Exclude<PageName, keyof typeof LEGAL>, string> = {
    landing: t('landing.title'),
    angrerett: t('withdrawal_right.title', { ns: 'purchase' }),
    betalt: t('payment_search.title', { ns: 'purchase' }),
    login: t('auth.login_title'),
    'sign-in': t('auth.login_title'),
    welcome: t('auth.sign_in'),
    home: t('home.title'),
    smakebit: t('landing.try_sample'),
    quiz: t('home.title'),
    admin: t('footer.admin'),
    'not-found': t('not_found.title'),
  };
  return titles[name as keyof typeof titles];
}

function descriptionOf(name: PageName, language: AppLanguage): string {
  if (name === 'angrerett') return i18next.t('withdrawal_right.intro', { ns: 'purchase' });
  if (name === 'smakebit') return sampleDescriptions[language];
  if (name === 'betalt') return i18next.t('payment_search.form_text', { ns: 'purchase' });
  const legal = legalOf(name);
  return legal ? readLegalDocument(legal, language).description : descriptions[language];
}

/** The modules that a page needs beside the entry, so that the browser need not find out in steps. */
export function modulesOf(name: PageName, language: AppLanguage): string[] {
  const texts = `src/texts/translation.${language}.json`;
  const legal = (document: LegalDocumentName) => [
    'src/app/routes/legal-routes.tsx',
    'src/features/legal/load-texts.ts',
    `src/features/legal/texts/${language}/${document}.ts`,
  ];
  const identity = 'src/lib/identity.ts';
  const signIn = 'src/app/routes/login-route.tsx';
  const welcome = 'src/app/routes/quiz-home-route.tsx';
  const learner = `src/texts/learner.${language}.json`;
  const modules: Record<PageName, string[]> = {
    landing: [],
    personvern: legal('privacy'),
    vilkar: legal('terms'),
    cookies: legal('cookies'),
    tilgjengelighet: legal('accessibility'),
    angrerett: [
      'src/features/legal/components/withdrawal-right.tsx',
      `src/texts/purchase.${language}.json`,
    ],
    betalt: [
      'src/features/payment-search/payment-search.tsx',
      `src/texts/purchase.${language}.json`,
    ],
    login: [identity, signIn],
    'sign-in': [signIn],
    smakebit: ['src/app/load-sample.ts', 'src/features/quiz/sample.tsx', learner],
    quiz: [identity, welcome, learner],
    // No more than the form: who signs in is some time about it.
    welcome: [welcome],
    home: [identity, welcome, 'src/app/quiz-home.tsx', learner],
    admin: [identity, 'src/app/admin/sign-in-route.tsx'],
    'not-found': [],
  };
  return [texts, ...modules[name]];
}
