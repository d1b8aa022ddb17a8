import { useTranslation } from 'react-i18next';
import { SkeletonLines } from '#components/skeleton-lines.tsx';

export function ScreenPending() {
  const { t } = useTranslation();
  return <SkeletonLines label={t('app.loading')} lines={5} />;
}
