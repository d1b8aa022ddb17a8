import '#theme/components.css';
import './dashboard-components.css';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmActionHost } from '#components/admin/confirm-action.tsx';
import { Notices } from '#components/admin/notices.tsx';
import { UploadNotice } from '#features/imports/upload-notice.tsx';
import { SiteHeader } from '#components/page.tsx';
import { settleLanguage } from '#i18n/choose-language.ts';
import { useSession } from '#lib/session.ts';
import { SignOutButton } from '../sign-out-button.tsx';
import { DashboardNavigation } from './dashboard-navigation.tsx';
import styles from './dashboard-route.module.css';

/** The frame of the portal: who is signed in, the way out, the tabs, and the screen that is open. */
export function DashboardRoute() {
  const { t } = useTranslation('admin');
  const { user } = useSession();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isImport = path === '/admin/dashboard' || path.startsWith('/admin/dashboard/imports/');
  useEffect(settleLanguage, []);
  const who = (
    <p className={styles.who}>
      <span className={styles.as}>{t('shell.signed_in_as')}</span> {user?.email}
    </p>
  );
  return (
    <div className={styles.dashboard}>
      <SiteHeader
        actions={
          <>
            {who}
            <SignOutButton />
          </>
        }
      />
      <div className={styles.narrow}>{who}</div>
      <div className={styles.bar}>
        <DashboardNavigation />
      </div>
      <main id="content" tabIndex={-1} className={styles.main}>
        {!isImport && <UploadNotice />}
        <Outlet />
        {/* What one screen asked, the next does not. */}
        <ConfirmActionHost key={path} />
      </main>
      <Notices />
    </div>
  );
}
