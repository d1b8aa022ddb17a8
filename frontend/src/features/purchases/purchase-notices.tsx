import { Alert } from '@digdir/designsystemet-react';
import type { Purchase } from '@proveklar/contract/payment.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Stack } from '#components/layout.tsx';
import { configQuery } from '#lib/config.ts';
import { purchasesQuery } from './api.ts';
import { formatOsloDate } from './purchase-parts.tsx';
import { disputedPurchases } from './purchase-state.ts';
import styles from './purchases.module.css';

type PurchaseNoticesProps = {
  /** Whether the learner has days left. */
  hasAccess: boolean;
  /** Set on the payment page, which needs no link to itself. */
  atPayment?: boolean;
};

/** Notices about earlier payments, to be read before paying again. */
export function PurchaseNotices({ hasAccess, atPayment = false }: PurchaseNoticesProps) {
  const { t } = useTranslation('purchase');
  const { data } = useQuery(purchasesQuery);
  if (!data) return null;
  return (
    <>
      {!atPayment && data.under_way?.status === 'processing' && (
        <Alert data-color="info" data-size="sm">
          <p>
            {t('notices.processing')}{' '}
            <Link to="/quiz/billing" className="ds-link">
              {t('notices.to_payment')}
            </Link>
          </p>
        </Alert>
      )}
      {disputedPurchases(data.payments).map((purchase) => (
        <DisputeNotice key={purchase.id} purchase={purchase} hasAccess={hasAccess} />
      ))}
    </>
  );
}

type DisputeNoticeProps = {
  purchase: Purchase;
  /** Whether the learner has other days left. */
  hasAccess: boolean;
};

/** Explains that a dispute at the bank has taken back paid days. */
function DisputeNotice({ purchase, hasAccess }: DisputeNoticeProps) {
  const { t, i18n } = useTranslation('purchase');
  const { data: config } = useQuery(configQuery);
  const date = formatOsloDate(purchase.paid_at, i18n.language);
  const isOpen = purchase.dispute === 'open';
  return (
    <Alert data-color={isOpen ? 'warning' : 'info'} data-size="sm">
      <Stack gap={2}>
        <h2 className={styles.title}>{t(isOpen ? 'notices.open_title' : 'notices.lost_title')}</h2>
        {isOpen ? (
          <>
            <p>{t(hasAccess ? 'notices.open_part' : 'notices.open_all', { date })}</p>
            <p>{t('notices.open_wait')}</p>
          </>
        ) : (
          <p>{t('notices.lost_text', { date })}</p>
        )}
        <p>{t(isOpen ? 'notices.open_write' : 'notices.lost_write')}</p>
        {config && (
          <p>
            <a className="ds-link" href={`mailto:${config.support_email}`}>
              {t('payment.contact', { email: config.support_email })}
            </a>
          </p>
        )}
      </Stack>
    </Alert>
  );
}

/** Why access has ended, in one sentence: a dispute, or else `children`. */
export function ExpiredReason({ children }: { children: ReactNode }) {
  const { t } = useTranslation('purchase');
  const { data } = useQuery(purchasesQuery);
  const [newest] = disputedPurchases(data?.payments ?? []);
  if (!newest) return children;
  return t(newest.dispute === 'open' ? 'notices.open_summary' : 'notices.lost_summary');
}
