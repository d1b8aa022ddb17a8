import '#theme/components.css';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { Page } from '#components/page.tsx';
import { BillingScreen } from '#features/account/components/billing-screen.tsx';

export function BillingRoute() {
  const { t } = useTranslation();
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
      <BillingScreen />
    </Page>
  );
}
