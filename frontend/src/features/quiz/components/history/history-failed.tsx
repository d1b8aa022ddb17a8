import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import styles from './test-history.module.css';

/** Specified: a history that cannot be read is an empty one. This line is all that is said of it. */
export function HistoryFailed({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  const { t } = useTranslation(['learner', 'translation']);
  return (
    <p className={styles.failed} role="status">
      {t('history.failed')}
      <Button variant="tertiary" data-size="sm" loading={busy} disabled={busy} onClick={onRetry}>
        {t('translation:actions.retry')}
      </Button>
    </p>
  );
}
