import { Spinner } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { useErrorText } from '#lib/error-text.ts';
import styles from './settling-payment.module.css';

type SettlingPaymentProps = { paid: boolean; error: unknown; busy: boolean; onRetry: () => void };

/** Between the payment and what it buys. A failure here must not look like lost money. */
export function SettlingPayment({ paid, error, busy, onRetry }: SettlingPaymentProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (error && !busy) {
    const message = errorText(error);
    return paid ? (
      <RetryAlert tone="warning" title={t('payment.unsettled_title')} onRetry={onRetry}>
        <p>{t('payment.confirm_failed', { message })}</p>
        <p>{t('payment.unsettled_text')}</p>
      </RetryAlert>
    ) : (
      <RetryAlert onRetry={onRetry}>{t('registration.failed', { message })}</RetryAlert>
    );
  }
  if (!busy) return null;
  return (
    <div role="status" className={styles.settling}>
      <Spinner aria-hidden="true" />
      <p>{t(paid ? 'payment.confirming' : 'app.loading')}</p>
    </div>
  );
}
