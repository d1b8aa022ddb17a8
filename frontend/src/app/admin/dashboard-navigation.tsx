import {
  BarChartIcon,
  ClockDashedIcon,
  CogIcon,
  FileImportIcon,
  PersonGroupIcon,
  ReceiptIcon,
  TasklistIcon,
  ThumbDownIcon,
} from '@navikt/aksel-icons';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './dashboard-navigation.module.css';

/** What lies below the first screen, whose address is also that of all others. */
const ONE_IMPORT = '/admin/dashboard/imports/';

/** The portal's screens as links: addresses of their own, and Back goes from one to the other. */
export function DashboardNavigation() {
  const { t } = useTranslation('admin');
  const strip = useRef<HTMLUListElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });

  // On a phone the strip is wider than the screen.
  useEffect(() => {
    const current = strip.current?.querySelector<HTMLElement>(`a[href="${path}"]`);
    if (strip.current && current) {
      strip.current.scrollLeft = current.offsetLeft - strip.current.clientWidth / 3;
    }
  }, [path]);

  return (
    <nav aria-label={t('shell.nav')} className={styles.nav}>
      <ul ref={strip} className={styles.tabs}>
        {TABS.map(({ to, label, Icon }) => (
          <li key={to}>
            <Link
              to={to}
              className={styles.tab}
              activeOptions={{ exact: isHome(to), includeSearch: false }}
              {...(isHome(to) && path.startsWith(ONE_IMPORT) && { 'aria-current': 'page' })}
            >
              <Icon aria-hidden />
              {t(label)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The first screen lies above all the others. */
function isHome(to: string): boolean {
  return to === '/admin/dashboard';
}

/**
 * The portal's navigation, in this order: import, questions, quality, users, payments,
 * settings, feedback, audit. A screen is listed when its route exists; all their names are in `texts/admin.<language>.json`.
 */
const TABS = [
  { to: '/admin/dashboard', label: 'shell.tab.import', Icon: FileImportIcon },
  { to: '/admin/dashboard/questions', label: 'shell.tab.questions', Icon: TasklistIcon },
  { to: '/admin/dashboard/quality', label: 'shell.tab.quality', Icon: BarChartIcon },
  { to: '/admin/dashboard/users', label: 'shell.tab.users', Icon: PersonGroupIcon },
  { to: '/admin/dashboard/payments', label: 'shell.tab.payments', Icon: ReceiptIcon },
  { to: '/admin/dashboard/settings', label: 'shell.tab.settings', Icon: CogIcon },
  { to: '/admin/dashboard/feedback', label: 'shell.tab.feedback', Icon: ThumbDownIcon },
  { to: '/admin/dashboard/audit', label: 'shell.tab.audit', Icon: ClockDashedIcon },
] as const;
