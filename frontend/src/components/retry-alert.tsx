import { Alert } from '@digdir/designsystemet-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from './busy-button.tsx';
import { Stack } from './layout.tsx';

type RetryAlertProps = {
  children: ReactNode;
  /** Left out if a retry cannot help. */
  onRetry?: (() => void) | undefined;
  title?: string;
  busy?: boolean;
  /** The text of the button, "Try again" by default. */
  label?: string;
  tone?: 'danger' | 'warning';
};

/** An error with a retry button. */
export function RetryAlert(props: RetryAlertProps) {
  const { children, onRetry, title, busy, label, tone = 'danger' } = props;
  const { t } = useTranslation();
  return (
    <Alert data-color={tone} data-size="sm" role="alert">
      <Stack gap={3}>
        {title && <h2 style={{ fontSize: '1.125rem' }}>{title}</h2>}
        <div>{children}</div>
        {onRetry && (
          <BusyButton variant="secondary" data-size="sm" busy={busy} onClick={onRetry}>
            {label ?? t('actions.retry')}
          </BusyButton>
        )}
      </Stack>
    </Alert>
  );
}
