import '#theme/components.css';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { Page } from '#components/page.tsx';
import { BillingScreen } from '#features/account/billing.tsx';
import { purchasesQuery } from '#features/purchases/api.ts';
import { PurchaseNotices } from '#features/purchases/purchase-notices.tsx';
import { mayComeByItself } from '#features/purchases/purchase-state.ts';

export function BillingRoute() {
  const { t } = useTranslation();
  // What an earlier screen read may be from before the payment; a failure keeps nobody from paying.
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
        onHold={mayComeByItself(data)}
        renderNotices={({ hasAccess }) => <PurchaseNotices hasAccess={hasAccess} atPayment />}
      />
    </Page>
  );
}
