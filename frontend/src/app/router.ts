import {
  createRoute,
  createRouter,
  lazyRouteComponent,
  type ParsedLocation,
  redirect,
} from '@tanstack/react-router';
import { landingQuery } from '#features/landing/landing-facts.ts';
import type { LegalDocumentName } from '#features/legal/legal-document.ts';
import { currentLanguage, loadTexts } from '#i18n/i18n.ts';
import { configQuery } from '#lib/config.ts';
import { queryClient } from '#lib/query-client.ts';
import { getSession } from '#lib/session.ts';
import type { TypedPerson } from '#lib/use-history-steps.ts';
import { adminRoutes } from './admin/routes.tsx';
import { ErrorScreen } from './error-screen.tsx';
import { identified } from './identified.ts';
import { NotFoundScreen } from './not-found-screen.tsx';
import { PendingScreen } from './pending-screen.tsx';
import { QuizErrorScreen } from './quiz-error-screen.tsx';
import { loadHome, loadProgress, loadQuiz } from './quiz-loaders.ts';
import { rootRoute } from './root.tsx';
import {
  type HomeSearch,
  validateHomeSearch,
  validateStopSearch,
  validateReturnSearch,
  validateSignInSearch,
} from './search.ts';

const landing = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('#features/landing/landing.tsx'), 'LandingPage'),
  loader: async () => {
    // Not awaited: the page is shown at once, and only what they say waits for them.
    void queryClient.prefetchQuery(configQuery);
    void queryClient.prefetchQuery(landingQuery(currentLanguage()));
    await (await import('#features/landing/late-rest.ts')).loadRest();
  },
});

const legalPages = () => import('#features/legal/legal.tsx');
const loadLegal = async (name: LegalDocumentName) =>
  (await import('#features/legal/documents.ts')).loadLegalDocument(name);

const privacy = createRoute({
  getParentRoute: () => rootRoute,
  path: '/personvern',
  loader: () => loadLegal('privacy'),
  component: lazyRouteComponent(legalPages, 'PrivacyPage'),
});

const terms = createRoute({
  getParentRoute: () => rootRoute,
  path: '/vilkar',
  loader: () => loadLegal('terms'),
  component: lazyRouteComponent(legalPages, 'TermsPage'),
});

const cookies = createRoute({
  getParentRoute: () => rootRoute,
  path: '/cookies',
  loader: () => loadLegal('cookies'),
  component: lazyRouteComponent(legalPages, 'CookiesPage'),
});

const accessibility = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tilgjengelighet',
  loader: () => loadLegal('accessibility'),
  component: lazyRouteComponent(legalPages, 'AccessibilityPage'),
});

const withdrawalRight = createRoute({
  getParentRoute: () => rootRoute,
  path: '/angrerett',
  loader: () => loadTexts('purchase'),
  component: lazyRouteComponent(
    () => import('#features/legal/withdrawal-right.tsx'),
    'WithdrawalRightPage',
  ),
});

const paymentSearch = createRoute({
  getParentRoute: () => rootRoute,
  path: '/betalt',
  loader: () => loadTexts('purchase'),
  component: lazyRouteComponent(
    () => import('#features/payment-search/payment-search.tsx'),
    'PaymentSearchPage',
  ),
});

const buyCodes = createRoute({
  getParentRoute: () => rootRoute,
  path: '/skoler',
  // The card form has its texts there.
  loader: () => Promise.all([loadTexts('codes'), loadTexts('purchase')]),
  component: lazyRouteComponent(() => import('#features/codes/buy.tsx'), 'BuyCodesPage'),
});

const packet = createRoute({
  getParentRoute: () => rootRoute,
  path: '/skoler/koder',
  loader: () => loadTexts('codes'),
  component: lazyRouteComponent(() => import('#features/codes/packet.tsx'), 'PacketPage'),
});

const sample = createRoute({
  getParentRoute: () => rootRoute,
  path: '/smakebit',
  loader: async () => (await import('./load-sample.ts')).loadSample(),
  component: lazyRouteComponent(() => import('#features/quiz/sample.tsx'), 'SamplePage'),
});

const stopReminders = createRoute({
  getParentRoute: () => rootRoute,
  path: '/paminnelser',
  validateSearch: validateStopSearch,
  loader: () => loadTexts('learner'),
  component: lazyRouteComponent(
    () => import('#features/quiz/learning/stop-reminders.tsx'),
    'StopRemindersPage',
  ),
});

const stopNews = createRoute({
  getParentRoute: () => rootRoute,
  path: '/nyheter',
  validateSearch: validateStopSearch,
  loader: () => loadTexts('learner'),
  component: lazyRouteComponent(() => import('#features/news/stop-news.tsx'), 'StopNewsPage'),
});

const choosePassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/nytt-passord',
  component: lazyRouteComponent(
    () => import('#features/auth/choose-password.tsx'),
    'ChoosePasswordPage',
  ),
});

// The client secret that a bank or wallet brings back goes from the address into the state of the history entry:
// there a reload finds it, and no copied or synced address has it.
const paymentReturn = createRoute({
  getParentRoute: () => rootRoute,
  path: '/quiz/payment',
  validateSearch: validateReturnSearch,
  beforeLoad: ({ search }) => {
    const { payment_intent: id, payment_intent_client_secret: clientSecret } = search;
    if (typeof document === 'undefined' || !id || !clientSecret) return;
    throw redirect({
      to: '/quiz/payment',
      search: {},
      state: { payment: { id, clientSecret } },
      replace: true,
    });
  },
  loader: () => loadTexts('purchase'),
  component: lazyRouteComponent(
    () => import('./routes/payment-return-route.tsx'),
    'PaymentReturnRoute',
  ),
});

// Below /quiz, because the gateway serves a page for every path there; the user is signed out by now.
const accountDeleted = createRoute({
  getParentRoute: () => rootRoute,
  path: '/quiz/deleted',
  loader: () => loadTexts('learner'),
  component: lazyRouteComponent(
    () => import('#features/profile/account-deleted.tsx'),
    'AccountDeletedPage',
  ),
});

const login = createRoute({
  getParentRoute: () => identified,
  path: '/login',
  validateSearch: validateSignInSearch,
  component: lazyRouteComponent(() => import('./routes/login-route.tsx'), 'LoginRoute'),
});

// Not cached by the router: a quiz, and the list of open ones, change while a learner is in a quiz, and the
// router would show the stale data first.
const alwaysFresh = { gcTime: 0, preload: false } as const;

const quizHome = createRoute({
  getParentRoute: () => identified,
  path: '/quiz',
  validateSearch: validateHomeSearch,
  ...alwaysFresh,
  loader: loadHome,
  component: lazyRouteComponent(() => import('./routes/quiz-home-route.tsx'), 'QuizHomeRoute'),
});

const signedIn = createRoute({
  getParentRoute: () => identified,
  id: 'signed-in',
  beforeLoad: ({ location }) => {
    if (getSession().status !== 'signed-in') {
      throw redirect({ to: '/login', search: { redirect: location.href } });
    }
  },
});

const billing = createRoute({
  getParentRoute: () => signedIn,
  path: '/quiz/billing',
  loader: () => loadTexts('purchase'),
  component: lazyRouteComponent(() => import('./routes/billing-route.tsx'), 'BillingRoute'),
});

const receipt = createRoute({
  getParentRoute: () => signedIn,
  path: '/quiz/receipts/$id',
  loader: async ({ params }) =>
    (await import('#features/purchases/receipt.tsx')).loadReceipt(params.id),
  component: lazyRouteComponent(() => import('#features/purchases/receipt.tsx'), 'ReceiptPage'),
});

const progress = createRoute({
  getParentRoute: () => signedIn,
  path: '/quiz/progress',
  ...alwaysFresh,
  loader: loadProgress,
  component: lazyRouteComponent(() => import('./routes/progress-route.tsx'), 'ProgressRoute'),
});

const quizRun = createRoute({
  getParentRoute: () => signedIn,
  path: '/quiz/$id',
  errorComponent: QuizErrorScreen,
  ...alwaysFresh,
  loader: async ({ params }) => {
    const session = await loadQuiz(params.id);
    if (session.state === 'ended') throw redirect({ to: '/quiz/$id/result', params });
    return session;
  },
  component: lazyRouteComponent(() => import('#features/quiz/run/run.tsx'), 'RunPage'),
});

const quizResult = createRoute({
  getParentRoute: () => signedIn,
  path: '/quiz/$id/result',
  errorComponent: QuizErrorScreen,
  ...alwaysFresh,
  loader: async ({ params }) => {
    const session = await loadQuiz(params.id);
    if (session.state !== 'ended') throw redirect({ to: '/quiz/$id', params });
    return session;
  },
  component: lazyRouteComponent(() => import('#features/quiz/result.tsx'), 'ResultPage'),
});

let homes = 0;

/**
 * Restores the scroll position by path. The home always begins at its top, where the open quizzes are:
 * a new key each time has no stored position.
 */
function scrollKey({ pathname, search, state }: ParsedLocation<HomeSearch>): string {
  if (pathname === '/quiz' && search.tab === undefined) return `home-${(homes += 1)}`;
  return state.__TSR_key ?? pathname;
}

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    landing,
    privacy,
    terms,
    cookies,
    accessibility,
    withdrawalRight,
    paymentSearch,
    buyCodes,
    packet,
    sample,
    stopReminders,
    stopNews,
    choosePassword,
    paymentReturn,
    accountDeleted,
    identified.addChildren([
      login,
      quizHome,
      signedIn.addChildren([billing, receipt, progress, quizRun, quizResult]),
      adminRoutes,
    ]),
  ]),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PendingScreen,
  defaultErrorComponent: ErrorScreen,
  defaultNotFoundComponent: NotFoundScreen,
  scrollRestoration: true,
  getScrollRestorationKey: scrollKey,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** Fills in the sign-in form after registration; kept out of the address. */
    email?: string;
    /** The step of a page with several steps, and how many history entries back its first one is. */
    step?: string;
    depth?: number;
    /** The payment with which a bank or wallet has sent its customer back. */
    payment?: { id: string; clientSecret: string };
    /** Fills in the registration form when the visitor returns to it. */
    typed?: TypedPerson;
  }
}
