import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { PageName } from '@proveklar/contract/page.ts';
import i18next from 'i18next';
import { readLegalDocument } from '#features/legal/documents.ts';
import type { LegalDocumentName } from '#features/legal/legal-document.ts';

export interface BuiltPage {
  /** The path that is rendered. */
  path: string;
  /** Rendered instead of the page, until the browser knows what to show. */
  skeleton?: 'page' | 'home';
  /** The canonical address; undefined for a page that search engines and shared links do not use. */
  address?: string;
  /** Whether the page cannot be used without scripts, only read. */
  isForm?: boolean;
  /** The title that the page's code sets, without the brand: a title that changed would be read aloud twice. */
  title: () => string;
  /** By default the site's description. */
  description?: () => string;
  /** Whether it shows nothing but its skeleton until the session is known. */
  waitsForSession?: boolean;
  /** Modules to preload next to the entry and its texts, so that the browser does not find them in steps. */
  modules: string[];
}

/** A path that no link leads to, so that no link is marked as the current page. */
export const NOWHERE = '/not/found';

/** All pages in a language. `title` works once the page has been rendered in it. */
export function pagesIn(language: AppLanguage): Record<PageName, BuiltPage> {
  const { t } = i18next;
  const whole = (path: string) => ({ path, address: path });
  const shell = { path: NOWHERE, skeleton: 'page' } as const;
  const identified = { ...shell, waitsForSession: true } as const;
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
    // Only the form's modules: signing in takes a while, in which the home can be loaded.
    welcome: {
      path: '/quiz',
      isForm: true,
      title: () => t('auth.sign_in'),
      modules: [welcome, 'src/app/sign-in-or-register.tsx'],
    },
    login: { ...identified, title: () => t('auth.login_title'), modules: [signIn] },
    quiz: { ...identified, title: () => t('home.title'), modules: [welcome, learner] },
    admin: {
      ...identified,
      title: () => t('footer.admin'),
      modules: ['src/app/admin/sign-in-route.tsx'],
    },
    smakebit: {
      ...shell,
      address: '/smakebit',
      title: () => t('landing.try_sample'),
      description: () => SAMPLE[language],
      modules: ['src/app/load-sample.ts', 'src/features/quiz/sample.tsx', learner],
    },
    paminnelser: {
      ...shell,
      title: () => t('reminders.title'),
      modules: ['src/features/quiz/learning/stop-reminders.tsx', learner],
    },
    skoler: {
      ...shell,
      address: '/skoler',
      title: () => t('footer.codes'),
      description: () => CODES[language],
      modules: ['src/features/codes/buy.tsx', `src/texts/codes.${language}.json`, purchase],
    },
    nyheter: {
      ...shell,
      title: () => t('news_mails.title'),
      modules: ['src/features/news/stop-news.tsx', learner],
    },
    'nytt-passord': {
      ...shell,
      title: () => t('auth.choose_title'),
      modules: ['src/features/auth/choose-password.tsx'],
    },
    home: {
      path: '/quiz',
      skeleton: 'home',
      waitsForSession: true,
      title: () => t('home.title'),
      modules: [welcome, 'src/app/quiz-home.tsx', learner, 'src/app/while-signed-in.ts'],
    },
    'not-found': { path: NOWHERE, title: () => t('not_found.title'), modules: [] },
  };
}

// Shown by search engines, shared links and browsers without scripts, but not by the page's code, so they
// are not i18n keys.
const SAMPLE: Record<AppLanguage, string> = {
  no: 'Prøv ti spørsmål til samfunnskunnskapsprøven og statsborgerprøven. Du trenger ikke konto, og du ser svaret med en gang.',
  en: 'Try ten questions for the Norwegian social studies test and the citizenship test. You need no account, and you see the answer at once.',
};

const CODES: Record<AppLanguage, string> = {
  no: 'Kjøp koder til Prøveklar for elever eller ansatte. Betal med kort, og få kodene med en gang.',
  en: 'Buy codes for Prøveklar for students or employees. Pay by card, and get the codes at once.',
};

export const SITE: Record<AppLanguage, string> = {
  no: 'Øv til samfunnskunnskapsprøven og statsborgerprøven: quiz om hvert tema og praktisk prøve med klokke. Prøv ti spørsmål gratis.',
  en: 'Practise for the Norwegian social studies test and citizenship test: a quiz for each topic and a practice test with a clock. Try ten questions free.',
};

export const WITHOUT_SCRIPTS: Record<AppLanguage, string> = {
  no: 'Denne siden trenger JavaScript. Slå det på i nettleseren, og last siden på nytt.',
  en: 'This page needs JavaScript. Turn it on in your browser, and load the page again.',
};
