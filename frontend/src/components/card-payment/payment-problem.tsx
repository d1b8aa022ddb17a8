import { Alert, Button } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { configQuery } from '#lib/config.ts';
import { useErrorText } from '#lib/error-text.ts';
import styles from './card-payment.module.css';
import { PaidLink } from './offer.tsx';
import type { Problem } from './problem.ts';

type PaymentProblemProps = {
  problem: Exclude<Problem, 'password'>;
  error: unknown;
  busy: boolean;
  email?: string | undefined;
  /** Asks the server for the outcome again. */
  onRetry?: () => void;
  /** Goes back to the card form of the same payment. */
  onOtherCard?: () => void;
  /** Starts a new payment. */
  onStartAgain: () => void;
};

/** Problems without a charge: a calm tone, and no link for people who have paid. */
const UNPAID = new Set<Problem>(['declined', 'too_many', 'cancelled', 'expired']);

/** A screen for each way in which a payment can fail: what it means, and how to continue. */
export function PaymentProblem(props: PaymentProblemProps) {
  const { problem, error, busy, email, onRetry, onOtherCard, onStartAgain } = props;
  const { t } = useTranslation(['translation', 'purchase']);
  const errorText = useErrorText();
  const { data: config } = useQuery(configQuery);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);

  const asksAgain = problem === 'unsettled' || problem === 'limited';
  const writes = problem === 'mismatch' || problem === 'email' || problem === 'disabled';
  const startsAgain =
    problem === 'cancelled' ||
    problem === 'expired' ||
    problem === 'too_many' ||
    problem === 'email';
  return (
    <Alert
      ref={box}
      tabIndex={-1}
      role="alert"
      data-color={problem === 'cancelled' ? 'info' : 'warning'}
      data-size="sm"
    >
      <div className={styles.content}>
        {problem === 'unsettled' ? (
          <>
            <h2 className={styles.title}>{t('payment.unsettled_title')}</h2>
            <p>{t('payment.confirm_failed', { message: errorText(error) })}</p>
            <p>{t('payment.unsettled_text')}</p>
          </>
        ) : (
          <>
            <h2 className={styles.title}>{t(`purchase:payment.problem.${problem}_title`)}</h2>
            <p>
              {problem === 'limited'
                ? errorText(error)
                : t(`purchase:payment.problem.${problem}_text`, { email })}
            </p>
          </>
        )}
        {writes && config && (
          <p>
            <a className="ds-link" href={`mailto:${config.support_email}`}>
              {t('purchase:payment.contact', { email: config.support_email })}
            </a>
          </p>
        )}
        {asksAgain && onRetry && (
          <BusyButton variant="secondary" data-size="sm" busy={busy} onClick={onRetry}>
            {t('actions.retry')}
          </BusyButton>
        )}
        {problem === 'declined' && onOtherCard && (
          <Button variant="secondary" data-size="sm" onClick={onOtherCard}>
            {t('purchase:payment.other_card')}
          </Button>
        )}
        {startsAgain && (
          <Button variant="secondary" data-size="sm" onClick={onStartAgain}>
            {t('purchase:payment.start_again')}
          </Button>
        )}
        {!UNPAID.has(problem) && <PaidLink />}
      </div>
    </Alert>
  );
}
