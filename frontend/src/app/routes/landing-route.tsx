import { useTranslation } from 'react-i18next';
import { Page } from '#components/page.tsx';
import { SessionLink } from '#components/session-link.tsx';
import { LandingPage } from '#features/landing/components/landing-page.tsx';

export function LandingRoute() {
  const { t } = useTranslation();
  return (
    <Page title={t('landing.title')} width="full" headerActions={<SessionLink />}>
      <LandingPage />
    </Page>
  );
}
