import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { AccountPanel } from '#features/account/account.tsx';
import { accountQuery } from '#features/account/api.ts';
import { purchasesQuery } from '#features/purchases/api.ts';
import { mayComeByItself } from '#features/purchases/purchase-state.ts';
import type { SignedInUser } from '#lib/identity.ts';
import styles from './home-account.module.css';
import { LazyHomeData, LazyProfile } from './lazy-profile.tsx';
import { LazyPurchaseList, LazyPurchaseNotices } from './lazy-purchases.tsx';

/** The account tab. What was paid is asked for only when somebody looks. */
export function HomeAccount({ shown, user }: { shown: boolean; user: SignedInUser }) {
  const { t } = useTranslation();
  const { data: service } = useQuery(accountQuery);
  const { data: purchases } = useQuery({ ...purchasesQuery, enabled: shown });
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <AccountPanel
          profile={
            shown &&
            service && (
              <Suspense fallback={<SkeletonLines label={t('app.loading')} />}>
                <LazyProfile user={user} />
              </Suspense>
            )
          }
          onHold={mayComeByItself(purchases)}
          notices={
            shown &&
            service && (
              <Suspense fallback={null}>
                <LazyPurchaseNotices hasAccess={service.days_remaining > 0} />
              </Suspense>
            )
          }
        />
        {shown && (
          <Suspense fallback={<SkeletonLines label={t('app.loading')} />}>
            <LazyPurchaseList />
          </Suspense>
        )}
      </div>
      <div className={styles.column}>
        {shown && (
          <Suspense fallback={<SkeletonLines label={t('app.loading')} />}>
            <LazyHomeData user={user} />
          </Suspense>
        )}
      </div>
    </div>
  );
}
