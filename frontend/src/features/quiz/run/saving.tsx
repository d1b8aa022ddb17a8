import { Alert, Button } from '@digdir/designsystemet-react';
import { CheckmarkIcon, CloudSlashIcon } from '@navikt/aksel-icons';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { ApiError, mayPass } from '#lib/api-error.ts';
import { useErrorText, useStatusAdvice, useStatusText } from '#lib/error-text.ts';
import type { DeliveryFailure } from './answers-store.ts';
import styles from './run.module.css';
import type { QuizRunState } from './use-quiz-run.ts';

/** A short network failure is not shown; after this many failures in a row it is. */
const SHOWN_AFTER_FAILURES = 2;
const isShown = ({ failures, setByService, stopped }: DeliveryFailure) =>
  failures >= SHOWN_AFTER_FAILURES || setByService || stopped;

export function RunFailures({ run }: { run: QuizRunState }) {
  const { t } = useTranslation('learner');
  const statusText = useStatusText();
  const statusAdvice = useStatusAdvice();
  const errorText = useErrorText();
  const { refusal, end, cancel, saving } = run;
  if (saving.problem && isShown(saving.problem)) {
    return (
      <InSight key={String(saving.problem.stopped)}>
        <DeliveryProblem run={run} />
      </InSight>
    );
  }
  if (refusal) {
    const status = statusText(refusal);
    return (
      <InSight>
        <RetryAlert title={t('quiz.failed.answer', { status })}>{errorText(refusal)}</RetryAlert>
      </InSight>
    );
  }
  if (end.isError && !run.finishing) {
    const status = statusAdvice(end.error);
    return (
      <InSight>
        <RetryAlert
          onRetry={mayPass(end.error) ? () => void run.finish() : undefined}
          busy={run.finishing}
        >
          {t('quiz.failed.end', { status })}
        </RetryAlert>
      </InSight>
    );
  }
  if (cancel.isError) {
    const status = statusAdvice(cancel.error);
    return (
      <InSight>
        <RetryAlert onRetry={mayPass(cancel.error) ? () => cancel.mutate() : undefined}>
          {t('quiz.failed.cancel', { status })}
        </RetryAlert>
      </InSight>
    );
  }
  return null;
}

function InSight({ children }: { children: ReactNode }) {
  return (
    <div data-failure ref={useInSight<HTMLDivElement>()}>
      {children}
    </div>
  );
}

/**
 * Why answers do not arrive at the moment, and that nothing is lost and they are retried automatically. Not a
 * live region: `SaveStatus` announces it.
 */
function DeliveryProblem({ run }: { run: QuizRunState }) {
  const { t } = useTranslation('learner');
  const statusText = useStatusText();
  const errorText = useErrorText();
  const { problem, handingIn, waiting, outlivesPage, retry } = run.saving;
  if (!problem) return null;
  const { error, setByService, stopped } = problem;
  const isOffline = !(error instanceof ApiError) || error.status === 0;
  const where = isOffline ? 'offline' : 'busy';
  const how = outlivesPage ? (handingIn ? '_hand_in' : '') : '_unkept';
  const action = waiting > 0 ? 'answer' : 'end';
  return (
    <Alert data-color={stopped ? 'warning' : 'info'} data-size="sm">
      <div className={styles.problem}>
        {!isOffline && (
          <p className={styles.problemTitle}>
            {stopped ? errorText(error) : t(`quiz.failed.${action}`, { status: statusText(error) })}
          </p>
        )}
        <p>{t(stopped ? 'saving.stopped' : `saving.${where}${how}`)}</p>
        <div className={styles.retry}>
          {!setByService && (
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

/** "Saving" is shown only for answers that take longer. */
const SAVING_DELAY_MS = 700;

/** Whether the answers are saved, next to the counter. Only changes are announced. */
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
      ) : run.answered > 0 && run.isStored ? (
        <span className={styles.status}>
          <CheckmarkIcon aria-hidden />
          {t('saving.saved')}
        </span>
      ) : null}
    </>
  );
}

/** True once `now` has been true for `SAVING_DELAY_MS`. */
function useLasting(now: boolean): boolean {
  const [lasting, setLasting] = useState(false);
  if (!now && lasting) setLasting(false);
  useEffect(() => {
    if (!now) return undefined;
    const timer = setTimeout(() => setLasting(true), SAVING_DELAY_MS);
    return () => clearTimeout(timer);
  }, [now]);
  return lasting;
}

/** Scrolls to an element that appears without a click, which could be out of sight on a small screen. */
function useInSight<Shown extends HTMLElement>(): RefObject<Shown | null> {
  const shown = useRef<Shown>(null);
  useEffect(() => {
    // In braces: newer browsers return a promise, which is not a cleanup function.
    shown.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return shown;
}
