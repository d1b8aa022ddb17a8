import { Alert, Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import type { QuizRunState } from '../../use-quiz-run.ts';
import styles from './delivery-problem.module.css';

/**
 * Why nothing arrives at the moment, and what becomes of it. Calm: nothing is lost, and it is tried
 * again without anybody doing anything. Not a live region: the status beside the counter says it.
 */
export function DeliveryProblem({ run }: { run: QuizRunState }) {
  const { t } = useTranslation('learner');
  const statusText = useStatusText();
  const errorText = useErrorText();
  const { problem, handingIn, waiting, outlivesPage, retry } = run.saving;
  if (!problem) return null;
  const { error, told, stopped } = problem;
  const isOffline = !(error instanceof ApiError) || error.status === 0;
  const where = isOffline ? 'offline' : 'busy';
  const how = outlivesPage ? (handingIn ? '_hand_in' : '') : '_unkept';
  const action = waiting > 0 ? 'answer' : 'end';
  return (
    <Alert data-color={stopped ? 'warning' : 'info'} data-size="sm">
      <div className={styles.content}>
        {!isOffline && (
          <p className={styles.title}>
            {stopped ? errorText(error) : t(`quiz.failed.${action}`, { status: statusText(error) })}
          </p>
        )}
        <p>{t(stopped ? 'saving.stopped' : `saving.${where}${how}`)}</p>
        <div className={styles.now}>
          {!told && (
            <Button variant="secondary" data-size="sm" onClick={retry}>
              {t('saving.try_now')}
            </Button>
          )}
          {waiting > 0 && <span>{t('saving.waiting', { count: waiting })}</span>}
        </div>
      </div>
    </Alert>
  );
}
