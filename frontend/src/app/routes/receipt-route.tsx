import '#theme/components.css';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { Page } from '#components/page.tsx';
import { ReceiptScreen } from '#features/purchases/components/receipt-screen.tsx';

export function ReceiptRoute() {
  const { t } = useTranslation('purchase');
  const { id } = useParams({ from: '/identified/signed-in/quiz/receipts/$id' });
  return (
    <Page
      title={t('receipts.heading')}
      width="text"
      headerActions={
        <ButtonLink to="/quiz" search={{ tab: 'account' }} variant="tertiary">
          {t('receipts.back')}
        </ButtonLink>
      }
    >
      <ReceiptScreen id={id} />
    </Page>
  );
}
