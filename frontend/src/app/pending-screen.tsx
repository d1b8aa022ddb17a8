import { useTranslation } from 'react-i18next';
import { Page } from '#components/page.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';

export function PendingScreen() {
  const { t } = useTranslation();
  return (
    <Page title={t('app.loading')} width="text">
      <SkeletonLines label={t('app.loading')} lines={5} />
    </Page>
  );
}
