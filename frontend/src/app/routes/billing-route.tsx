import '#theme/components.css';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { Page } from '#components/page.tsx';
import { BillingScreen } from '#features/account/billing.tsx';
import { purchasesQuery } from '#features/purchases/api.ts';
import { PurchaseNotices } from '#features/purchases/purchase-notices.tsx';
import { mayGetDaysWithoutPaying } from '#features/purchases/purchase-state.ts';

export function BillingRoute() {
  const { t } = useTranslation();
  // Purchases that an earlier page read may be older than the payment. A failure does not block paying.
  const { data, isFetchedAfterMount } = useQuery(purchasesQuery);
  const underWay = data?.under_way?.status === 'processing' ? data.under_way : null;
  return (
    <Page
      title={t('billing.title')}
      width="form"
      headerActions={
        <ButtonLink to="/quiz" variant="tertiary">
          {t('actions.to_quiz_home')}
        </ButtonLink>
      }
    >
      <BillingScreen
        processing={isFetchedAfterMount ? (underWay?.payment_intent_id ?? null) : undefined}
        onHold={mayGetDaysWithoutPaying(data)}
        renderNotices={({ hasAccess }) => <PurchaseNotices hasAccess={hasAccess} atPayment />}
      />
    </Page>
  );
}
