import { Alert, Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { PaidLink } from '#components/card-payment/offer.tsx';
import styles from './registration.module.css';

/**
 * Shown after a reload just before paying: how to continue without paying twice. It has no personal data, because
 * another person may read it on a shared computer.
 */
export function UnfinishedPayment({ onDismiss }: { onDismiss: () => void }) {
  const { t } = useTranslation('purchase');
  return (
    <Alert data-color="info" data-size="sm">
      <div className={styles.content}>
        <h2 className={styles.title}>{t('payment.unfinished_title')}</h2>
        <p>{t('payment.unfinished_text')}</p>
        <PaidLink />
        <p>{t('payment.unfinished_other')}</p>
        <Button type="button" variant="secondary" data-size="sm" onClick={onDismiss}>
          {t('payment.unfinished_dismiss')}
        </Button>
      </div>
    </Alert>
  );
}
