import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { settingsQuery } from '../api.ts';
import { ExamProfiles } from './exams/exam-profiles.tsx';
import { Languages } from './languages/languages.tsx';
import { SellerNotice } from './seller-notice.tsx';
import { SettingsForm } from './settings-form.tsx';

/** What the service costs and gives, who sells it, how the practice tests are put together, and the languages. */
export function SettingsScreen() {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const settings = useQuery(settingsQuery);
  return (
    <AdminScreen title={t('settings.title')} lead={t('settings.lead')}>
      <SellerNotice />
      {settings.isPending && <SkeletonLines label={t('settings.loading')} lines={8} />}
      {settings.isError && (
        <RetryAlert
          title={t('shell.failed_load')}
          busy={settings.isFetching}
          onRetry={() => void settings.refetch()}
        >
          {t('settings.failed.fetch', { status: statusText(settings.error) })}
        </RetryAlert>
      )}
      {/* What is being written stays, whatever becomes of a later reading. */}
      {settings.data && <SettingsForm settings={settings.data} />}
      <ExamProfiles />
      <Languages />
    </AdminScreen>
  );
}
