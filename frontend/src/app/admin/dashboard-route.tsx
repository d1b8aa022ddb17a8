import '#theme/components.css';
import './dashboard-components.css';
import 'sonner/dist/styles.css';
import type { Role } from '@proveklar/contract/roles.ts';
import { useQuery } from '@tanstack/react-query';
import {
  type ErrorComponentProps,
  Link,
  Outlet,
  useLocation,
  useRouter,
} from '@tanstack/react-router';
import { type CSSProperties, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Toaster } from 'sonner';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { ConfirmActionHost } from '#components/admin/confirm-action.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SiteHeader } from '#components/page.tsx';
import { mayOpen, RoleContext } from '#components/admin/role.ts';
import { accountQuery } from '#features/account/api.ts';
import { UploadNotice } from '#features/imports/upload-notice.tsx';
import { portalHomeQuery } from '#features/portal-home/api.ts';
import { settleLanguage } from '#i18n/choose-language.ts';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { useSession } from '#lib/session.ts';
import { SignOutButton } from '../sign-out-button.tsx';
import styles from './dashboard-route.module.css';

/** The frame of the portal: the signed-in administrator, sign-out, the tabs, and the open page. */
export function DashboardRoute() {
  const { t } = useTranslation('admin');
  const { user } = useSession();
  // Read before the page was opened; while the next user's is read, nothing more is shown than editors see.
  const { data: account } = useQuery(accountQuery);
  const role = account?.role ?? 'editor';
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isImport = path === '/admin/dashboard' || path.startsWith('/admin/dashboard/imports/');
  useEffect(settleLanguage, []);
  const who = (
    <p className={styles.who}>
      <span className={styles.as}>{t('shell.signed_in_as')}</span> {user?.email}
    </p>
  );
  return (
    <RoleContext value={role}>
      <div className={styles.dashboard}>
        <SiteHeader
          actions={
            <>
              {who}
              <SignOutButton />
            </>
          }
        />
        <aside className={styles.narrow} aria-label={t('shell.account')}>
          {who}
        </aside>
        <div className={styles.bar}>
          <DashboardNavigation role={role} />
        </div>
        <main id="content" tabIndex={-1} className={styles.main}>
          {!isImport && mayOpen(role, '/admin/dashboard') && <UploadNotice />}
          <Outlet />
          {/* A confirmation does not outlive the page that asked for it. */}
          <ConfirmActionHost key={path} />
        </main>
        <Notices />
      </div>
    </RoleContext>
  );
}

/** Shown in place of a page that failed; the navigation stays. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const { t: ta } = useTranslation('admin');
  const router = useRouter();
  const errorText = useErrorText();

  async function retry() {
    await router.invalidate();
    reset();
  }

  return (
    <AdminScreen title={ta('shell.failed_load')}>
      <RetryAlert onRetry={() => void retry()}>
        {error instanceof ApiError ? errorText(error) : t('error.text')}
      </RetryAlert>
    </AdminScreen>
  );
}

/** Pages below the first one. Its own path is a prefix of every page's. */
const ONE_IMPORT = '/admin/dashboard/imports/';

/** Links to the portal's pages. Each has its own address, so Back works. */
function DashboardNavigation({ role }: { role: Role }) {
  const { t } = useTranslation('admin');
  const strip = useRef<HTMLUListElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  const current = TABS.find(({ to }) => isTabOf(to, path))?.to;
  const counts = useCounts();

  // On a phone the tab strip is wider than the screen: scrolls to the current tab.
  useEffect(() => {
    const tab = strip.current?.querySelector<HTMLElement>(`a[href="${current}"]`);
    if (strip.current && tab) {
      strip.current.scrollLeft = tab.offsetLeft - strip.current.clientWidth / 3;
    }
  }, [current]);

  return (
    <nav aria-label={t('shell.nav')} className={styles.nav}>
      <ul ref={strip} className={styles.tabs}>
        {TABS.filter(({ to }) => mayOpen(role, to)).map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              className={styles.tab}
              activeOptions={{ exact: isImportsTab(to), includeSearch: false }}
              {...(isImportsTab(to) && path.startsWith(ONE_IMPORT) && { 'aria-current': 'page' })}
            >
              {t(label)}
              <TabCount count={counts[to]} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** What waits on each page; a page without a count has none. */
function useCounts(): Partial<Record<string, number>> {
  const { data } = useQuery(portalHomeQuery);
  const { questions, learners, operations } = data ?? {};
  return {
    '/admin/dashboard/questions': questions?.pending ?? 0,
    '/admin/dashboard/quality': questions?.stale ?? 0,
    '/admin/dashboard/feedback': questions?.reported ?? 0,
    '/admin/dashboard/payments': (learners?.payments_waiting ?? 0) + (learners?.disputes ?? 0),
    '/admin/dashboard/operations': operations?.rejected_events ?? 0,
  };
}

const MAX_SHOWN_COUNT = 999;

function TabCount({ count = 0 }: { count: number | undefined }) {
  const { t, i18n } = useTranslation('admin');
  if (count === 0) return null;
  const n = formatCount(count, i18n.language);
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{count > MAX_SHOWN_COUNT ? `${MAX_SHOWN_COUNT}+` : n}</span>
      <span className="ds-sr-only">{t('shell.waiting', { count, n })}</span>
    </span>
  );
}

/** Whether a tab is that of the page with this path, or of a page below it. */
function isTabOf(to: string, path: string): boolean {
  const below = isImportsTab(to) ? ONE_IMPORT : `${to}/`;
  return path === to || path.startsWith(below);
}

/** The page of the imports, whose path is a prefix of all others. */
function isImportsTab(to: string): boolean {
  return to === '/admin/dashboard';
}

/** The portal's navigation, in this order. */
const TABS = [
  { to: '/admin/dashboard/home', label: 'shell.tab.home' },
  { to: '/admin/dashboard', label: 'shell.tab.import' },
  { to: '/admin/dashboard/questions', label: 'shell.tab.questions' },
  { to: '/admin/dashboard/quality', label: 'shell.tab.quality' },
  { to: '/admin/dashboard/glossary', label: 'shell.tab.glossary' },
  { to: '/admin/dashboard/users', label: 'shell.tab.users' },
  { to: '/admin/dashboard/payments', label: 'shell.tab.payments' },
  { to: '/admin/dashboard/money', label: 'shell.tab.money' },
  { to: '/admin/dashboard/messages', label: 'shell.tab.messages' },
  { to: '/admin/dashboard/settings', label: 'shell.tab.settings' },
  { to: '/admin/dashboard/feedback', label: 'shell.tab.feedback' },
  { to: '/admin/dashboard/operations', label: 'shell.tab.operations' },
  { to: '/admin/dashboard/audit', label: 'shell.tab.audit' },
] as const;

const noticeStyle = {
  '--width': '27rem',
  fontFamily: 'inherit',
  '--normal-bg': 'var(--ds-color-neutral-base-default)',
  '--normal-border': 'transparent',
  '--normal-text': 'var(--ds-color-neutral-base-contrast-default)',
} as CSSProperties;

const noticeClasses = {
  toast: styles.notice ?? '',
  actionButton: styles.action ?? '',
  closeButton: styles.close ?? '',
};

/** Shows the notices of `notify`; rendered once, in the frame of the portal. */
function Notices() {
  const { t } = useTranslation('admin');
  return (
    <Toaster
      position="bottom-center"
      containerAriaLabel={t('shell.notices')}
      closeButton
      style={noticeStyle}
      toastOptions={{
        closeButtonAriaLabel: t('shell.dismiss'),
        classNames: noticeClasses,
      }}
    />
  );
}
