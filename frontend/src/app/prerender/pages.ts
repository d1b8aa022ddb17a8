import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { PageName } from '@proveklar/contract/page.ts';
import i18next from 'i18next';
import { readLegalDocument } from '#features/legal/documents.ts';
import type { LegalDocumentName } from '#features/legal/legal-document.ts';

export interface BuiltPage {
  /** What is rendered. */
  path: string;
  /** Rendered instead, until the browser knows what belongs there. */
  skeleton?: 'page' | 'home';
  /** Where it is found, and shared from; undefined for a page that is not. */
  address?: string;
  /** Whether it can be read but not used while scripts do not run. */
  isForm?: boolean;
  /** What the page itself will set, but for the brand: a title that changes would be read out twice. */
  title: () => string;
  /** The site's, if the page has none of its own. */
  description?: () => string;
  /** The modules that it needs beside the entry and its texts, so that the browser need not find out in steps. */
  modules: string[];
}

/** A path that no link leads to: none must be marked as the current page. */
export const NOWHERE = '/not/found';

/** All pages in a language. Their titles are there once they were rendered in it. */
export function pagesIn(language: AppLanguage): Record<PageName, BuiltPage> {
  const { t } = i18next;
  const whole = (path: string) => ({ path, address: path });
  const shell = { path: NOWHERE, skeleton: 'page' } as const;
  const legal = (path: string, document: LegalDocumentName): BuiltPage => ({
    ...whole(path),
    title: () => readLegalDocument(document, language).title,
    description: () => readLegalDocument(document, language).description,
    modules: [
      'src/features/legal/legal.tsx',
      'src/features/legal/documents.ts',
      `src/features/legal/texts/${language}/${document}.ts`,
    ],
  });
  const identity = 'src/lib/identity.ts';
  const signIn = 'src/app/routes/login-route.tsx';
  const welcome = 'src/app/routes/quiz-home-route.tsx';
  const purchase = `src/texts/purchase.${language}.json`;
  const learner = `src/texts/learner.${language}.json`;

  return {
    landing: { ...whole('/'), title: () => t('landing.title'), modules: [] },
    personvern: legal('/personvern', 'privacy'),
    vilkar: legal('/vilkar', 'terms'),
    cookies: legal('/cookies', 'cookies'),
    tilgjengelighet: legal('/tilgjengelighet', 'accessibility'),
    angrerett: {
      ...whole('/angrerett'),
      title: () => t('withdrawal_right.title', { ns: 'purchase' }),
      description: () => t('withdrawal_right.intro', { ns: 'purchase' }),
      modules: ['src/features/legal/withdrawal-right.tsx', purchase],
    },
    betalt: {
      ...whole('/betalt'),
      title: () => t('payment_search.title', { ns: 'purchase' }),
      description: () => t('payment_search.form_text', { ns: 'purchase' }),
      modules: ['src/features/payment-search/payment-search.tsx', purchase],
    },
    'sign-in': {
      path: '/login',
      isForm: true,
      title: () => t('auth.login_title'),
      modules: [signIn],
    },
    // No more than the form: who signs in is some time about it.
    welcome: { path: '/quiz', isForm: true, title: () => t('auth.sign_in'), modules: [welcome] },
    login: { ...shell, title: () => t('auth.login_title'), modules: [identity, signIn] },
    quiz: { ...shell, title: () => t('home.title'), modules: [identity, welcome, learner] },
    admin: {
      ...shell,
      title: () => t('footer.admin'),
      modules: [identity, 'src/app/admin/sign-in-route.tsx'],
    },
    smakebit: {
      ...shell,
      address: '/smakebit',
      title: () => t('landing.try_sample'),
      description: () => SAMPLE[language],
      modules: ['src/app/load-sample.ts', 'src/features/quiz/sample.tsx', learner],
    },
    home: {
      path: '/quiz',
      skeleton: 'home',
      title: () => t('home.title'),
      modules: [identity, welcome, 'src/app/quiz-home.tsx', learner],
    },
    'not-found': { path: NOWHERE, title: () => t('not_found.title'), modules: [] },
  };
}

// Search engines, shared links and browsers without scripts show these; the code never does, so they are
// no i18n keys.
const SAMPLE: Record<AppLanguage, string> = {
  no: 'Prøv ti spørsmål til samfunnskunnskapsprøven og statsborgerprøven. Du trenger ikke konto, og du ser svaret med en gang.',
  en: 'Try ten questions for the Norwegian social studies test and the citizenship test. You need no account, and you see the answer at once.',
};

export const SITE: Record<AppLanguage, string> = {
  no: 'Øv til samfunnskunnskapsprøven og statsborgerprøven: quiz om hvert tema og praktisk prøve med klokke. Prøv ti spørsmål gratis.',
  en: 'Practise for the Norwegian social studies test and citizenship test: a quiz for each topic and a practice test with a clock. Try ten questions free.',
};

export const WITHOUT_SCRIPTS: Record<AppLanguage, string> = {
  no: 'Denne siden trenger JavaScript. Slå det på i nettleseren, og last siden på nytt.',
  en: 'This page needs JavaScript. Turn it on in your browser, and load the page again.',
};
