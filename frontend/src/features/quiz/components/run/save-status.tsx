import { CheckmarkIcon, CloudSlashIcon } from '@navikt/aksel-icons';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuizRunState } from '../../use-quiz-run.ts';
import styles from './save-status.module.css';

/** So long nothing is said of an answer on its way: mostly it has arrived by then. */
const QUIET_MS = 700;

/** Whether the answers have arrived: quietly beside the counter, aloud only when that changes. */
export function SaveStatus({ run }: { run: QuizRunState }) {
  const { t } = useTranslation('learner');
  const { unsent, waiting } = run.saving;
  const isSlow = useLasting(unsent > 0);
  const [hasWaited, setHasWaited] = useState(false);
  if (waiting > 0 && !hasWaited) setHasWaited(true);

  const announcement = waiting > 0 ? t('saving.announce_waiting') : t('saving.all_sent');
  return (
    <>
      <span role="status" className="ds-sr-only">
        {hasWaited && announcement}
      </span>
      {waiting > 0 ? (
        <span className={styles.status} data-tone="waiting">
          <CloudSlashIcon aria-hidden />
          {t('saving.waiting', { count: waiting })}
        </span>
      ) : unsent > 0 && isSlow ? (
        <span className={styles.status}>{t('saving.saving')}</span>
      ) : run.answered > 0 && run.takesReports ? (
        <span className={styles.status}>
          <CheckmarkIcon aria-hidden />
          {t('saving.saved')}
        </span>
      ) : null}
    </>
  );
}

/** Whether something has been so for a while. */
function useLasting(now: boolean): boolean {
  const [lasting, setLasting] = useState(false);
  if (!now && lasting) setLasting(false);
  useEffect(() => {
    if (!now) return undefined;
    const timer = setTimeout(() => setLasting(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [now]);
  return lasting;
}
