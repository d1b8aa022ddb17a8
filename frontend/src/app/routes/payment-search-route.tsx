import '#theme/components.css';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { Page } from '#components/page.tsx';
import { PaymentSearch } from '#features/payment-search/components/payment-search.tsx';

export function PaymentSearchRoute() {
  const { t } = useTranslation('purchase');
  return (
    <Page
      title={t('payment_search.title')}
      width="text"
      headerActions={
        <ButtonLink to="/login" variant="tertiary">
          {t('payment_search.sign_in')}
        </ButtonLink>
      }
    >
      <PaymentSearch />
    </Page>
  );
}
