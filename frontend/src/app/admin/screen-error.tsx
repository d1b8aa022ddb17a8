import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';

/** A screen that could not be shown; the way to the others stays. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const { t: ta } = useTranslation('admin');
  const router = useRouter();
  const errorText = useErrorText();

  async function retry() {
    await router.invalidate();
    reset();
  }

  return (
    <AdminScreen title={ta('shell.failed_load')}>
      <RetryAlert onRetry={() => void retry()}>
        {error instanceof ApiError ? errorText(error) : t('error.text')}
      </RetryAlert>
    </AdminScreen>
  );
}
