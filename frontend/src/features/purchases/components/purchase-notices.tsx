import { Alert } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { purchasesQuery } from '../api.ts';
import { disputedPurchases } from '../purchase-state.ts';
import { DisputeNotice } from './dispute-notice.tsx';

type PurchaseNoticesProps = {
  /** Whether one has days to go on with. */
  hasAccess: boolean;
  /** Where the payment itself is shown, nothing leads to it. */
  atPayment?: boolean;
};

/** What one must know of one's payments before paying again. */
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
