import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { firstPage, mayOpen } from '#components/admin/role.ts';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { accountQuery } from '#features/account/api.ts';
import type { AuditFilter } from '#features/audit/api.ts';
import type { FeedbackSearch } from '#features/feedback/search.ts';
import type { GlossarySearch } from '#features/glossary/api.ts';
import type { MoneySearch } from '#features/money/api.ts';
import type { PaymentsSearch } from '#features/payments/search.ts';
import type { BankSearch } from '#features/question-bank/bank-search.ts';
import type { NewQuestionSearch } from '#features/question-bank/new-question.tsx';
import type { QualitySearch } from '#features/question-quality/quality-search.ts';
import type { UsersSearch } from '#features/users/api.ts';
import { loadTexts } from '#i18n/i18n.ts';
import { queryClient } from '#lib/query-client.ts';
import { getSession } from '#lib/session.ts';
import { identified } from '../identified.ts';
import { searchedText, validateAdminSearch } from '../search.ts';

/** The parent of all portal routes. It loads the portal's texts, which the sign-in page needs too. */
const admin = createRoute({
  getParentRoute: () => identified,
  path: '/admin',
  beforeLoad: () => loadTexts('admin'),
});

/** Pages for the people of the portal; others are sent to the sign-in. The server decides who may what. */
const dashboard = createRoute({
  getParentRoute: () => admin,
  path: '/dashboard',
  beforeLoad: async ({ location }) => {
    const signedIn = getSession().status === 'signed-in';
    const role = signedIn ? (await queryClient.ensureQueryData(accountQuery)).role : null;
    if (!role) throw redirect({ to: '/admin', search: { redirect: location.href } });
    if (!mayOpen(role, location.pathname)) throw redirect({ to: firstPage });
  },
  component: lazyRouteComponent(() => import('./dashboard-route.tsx'), 'DashboardRoute'),
});

/** What a page of the dashboard shows while it loads, and when that fails. */
const screenParts = {
  pendingComponent: ScreenPending,
  errorComponent: lazyRouteComponent(() => import('./dashboard-route.tsx'), 'ScreenError'),
};

const signIn = createRoute({
  getParentRoute: () => admin,
  path: '/',
  validateSearch: validateAdminSearch,
  component: lazyRouteComponent(() => import('./sign-in-route.tsx'), 'AdminSignInRoute'),
});

const home = createRoute({
  getParentRoute: () => dashboard,
  path: '/home',
  ...screenParts,
  component: lazyRouteComponent(
    () => import('#features/portal-home/portal-home.tsx'),
    'PortalHomeScreen',
  ),
});

const imports = createRoute({
  getParentRoute: () => dashboard,
  path: '/',
  validateSearch: ({ page }): { page?: number | undefined } => ({
    page: Number.isInteger(page) && Number(page) > 1 ? Number(page) : undefined,
  }),
  ...screenParts,
  component: lazyRouteComponent(() => import('#features/imports/imports.tsx'), 'ImportScreen'),
});

const importDetail = createRoute({
  getParentRoute: () => dashboard,
  path: '/imports/$id',
  ...screenParts,
  component: lazyRouteComponent(
    () => import('#features/imports/import-detail.tsx'),
    'ImportDetail',
  ),
});

// The page validates its search, not the route: so that code is not in the entry chunk.
const questions = createRoute({
  getParentRoute: () => dashboard,
  path: '/questions',
  validateSearch: (search: Record<string, unknown>): BankSearch => search,
  ...screenParts,
  component: lazyRouteComponent(
    () => import('#features/question-bank/questions.tsx'),
    'QuestionsScreen',
  ),
});

const bankReleases = createRoute({
  getParentRoute: () => dashboard,
  path: '/questions/releases',
  ...screenParts,
  component: lazyRouteComponent(
    () => import('#features/bank-releases/bank-releases.tsx'),
    'BankReleasesScreen',
  ),
});

const newQuestion = createRoute({
  getParentRoute: () => dashboard,
  path: '/questions/new',
  validateSearch: ({ copy, translate, language }): NewQuestionSearch => ({
    copy: isId(copy) ? copy : undefined,
    translate: isId(translate) ? translate : undefined,
    language: searchedText(language),
  }),
  ...screenParts,
  component: lazyRouteComponent(
    () => import('#features/question-bank/new-question.tsx'),
    'NewQuestionScreen',
  ),
});

const question = createRoute({
  getParentRoute: () => dashboard,
  path: '/questions/$id',
  ...screenParts,
  component: lazyRouteComponent(() => import('./question-route.tsx'), 'QuestionRoute'),
});

const quality = createRoute({
  getParentRoute: () => dashboard,
  path: '/quality',
  validateSearch: (search: Record<string, unknown>): QualitySearch => search,
  ...screenParts,
  component: lazyRouteComponent(
    () => import('#features/question-quality/quality.tsx'),
    'QualityScreen',
  ),
});

const coverage = createRoute({
  getParentRoute: () => dashboard,
  path: '/quality/coverage',
  ...screenParts,
  component: lazyRouteComponent(
    () => import('#features/question-quality/coverage.tsx'),
    'CoverageScreen',
  ),
});

const users = createRoute({
  getParentRoute: () => dashboard,
  path: '/users',
  validateSearch: (search: Record<string, unknown>): UsersSearch => search,
  ...screenParts,
  component: lazyRouteComponent(() => import('#features/users/users.tsx'), 'UsersScreen'),
});

const person = createRoute({
  getParentRoute: () => dashboard,
  path: '/users/$uid',
  ...screenParts,
  component: lazyRouteComponent(() => import('./person-route.tsx'), 'PersonRoute'),
});

const payments = createRoute({
  getParentRoute: () => dashboard,
  path: '/payments',
  validateSearch: (search: Record<string, unknown>): PaymentsSearch => search,
  ...screenParts,
  component: lazyRouteComponent(() => import('./payments-route.tsx'), 'PaymentsRoute'),
});

const payment = createRoute({
  getParentRoute: () => dashboard,
  path: '/payments/$id',
  ...screenParts,
  component: lazyRouteComponent(() => import('#features/payments/payment.tsx'), 'PaymentPage'),
});

const money = createRoute({
  getParentRoute: () => dashboard,
  path: '/money',
  validateSearch: (search: Record<string, unknown>): MoneySearch => search,
  ...screenParts,
  component: lazyRouteComponent(() => import('#features/money/money.tsx'), 'MoneyScreen'),
});

const messages = createRoute({
  getParentRoute: () => dashboard,
  path: '/messages',
  ...screenParts,
  component: lazyRouteComponent(() => import('#features/messages/messages.tsx'), 'MessagesScreen'),
});

const newMessage = createRoute({
  getParentRoute: () => dashboard,
  path: '/messages/new',
  ...screenParts,
  component: lazyRouteComponent(() => import('#features/messages/message.tsx'), 'NewMessagePage'),
});

const message = createRoute({
  getParentRoute: () => dashboard,
  path: '/messages/$id',
  ...screenParts,
  component: lazyRouteComponent(() => import('#features/messages/message.tsx'), 'MessagePage'),
});

const settings = createRoute({
  getParentRoute: () => dashboard,
  path: '/settings',
  ...screenParts,
  component: lazyRouteComponent(() => import('#features/settings/settings.tsx'), 'SettingsScreen'),
});

const glossary = createRoute({
  getParentRoute: () => dashboard,
  path: '/glossary',
  validateSearch: ({ search, page }): GlossarySearch => ({
    search: searchedText(search),
    page: Number.isInteger(page) && Number(page) > 1 ? Number(page) : undefined,
  }),
  ...screenParts,
  component: lazyRouteComponent(() => import('#features/glossary/glossary.tsx'), 'GlossaryScreen'),
});

const feedback = createRoute({
  getParentRoute: () => dashboard,
  path: '/feedback',
  validateSearch: (search: Record<string, unknown>): FeedbackSearch => search,
  ...screenParts,
  component: lazyRouteComponent(() => import('#features/feedback/feedback.tsx'), 'FeedbackScreen'),
});

const operations = createRoute({
  getParentRoute: () => dashboard,
  path: '/operations',
  ...screenParts,
  component: lazyRouteComponent(
    () => import('#features/operations/operations.tsx'),
    'OperationsScreen',
  ),
});

const audit = createRoute({
  getParentRoute: () => dashboard,
  path: '/audit',
  validateSearch: (search): AuditFilter => ({
    action: searchedText(search.action),
    actor: searchedText(search.actor),
    subject: searchedText(search.subject),
    from: searchedDay(search.from),
    to: searchedDay(search.to),
    search: searchedText(search.search),
  }),
  ...screenParts,
  component: lazyRouteComponent(() => import('#features/audit/audit.tsx'), 'AuditScreen'),
});

/**
 * A page of the portal is a route here, a component in `features/` and a tab in `dashboard-route.tsx`.
 * A page with parts of several features is composed next to this file.
 */
export const adminRoutes = admin.addChildren([
  signIn,
  dashboard.addChildren([
    home,
    imports,
    importDetail,
    questions,
    bankReleases,
    newQuestion,
    question,
    quality,
    coverage,
    glossary,
    users,
    person,
    payments,
    payment,
    money,
    messages,
    newMessage,
    message,
    settings,
    feedback,
    operations,
    audit,
  ]),
]);

const searchedDay = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/u.test(value) ? value : undefined;

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

function ScreenPending() {
  const { t } = useTranslation();
  return <SkeletonLines label={t('app.loading')} lines={5} />;
}
