import { Button } from '@digdir/designsystemet-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './test-history.module.css';

type HistoryFailedProps = { children: ReactNode; busy: boolean; onRetry: () => void };

/** Specified: a history that cannot be read is an empty one. This line is all that is said of it. */
export function HistoryFailed({ children, busy, onRetry }: HistoryFailedProps) {
  const { t } = useTranslation();
  return (
    <p className={styles.failed} role="status">
      {children}
      <Button variant="tertiary" data-size="sm" loading={busy} disabled={busy} onClick={onRetry}>
        {t('actions.retry')}
      </Button>
    </p>
  );
}
