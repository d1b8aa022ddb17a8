import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { Page } from '#components/page.tsx';
import { LandingPage } from '#features/landing/components/landing-page.tsx';

export function LandingRoute() {
  const { t } = useTranslation();
  return (
    <Page
      title={t('landing.title')}
      width="full"
      headerActions={
        <ButtonLink to="/login" variant="tertiary">
          {t('actions.sign_in')}
        </ButtonLink>
      }
    >
      <LandingPage />
    </Page>
  );
}
