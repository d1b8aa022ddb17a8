import { Alert } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { PaidLink } from '#components/card-payment/paid-link.tsx';
import styles from './unfinished-payment.module.css';

/** To somebody who was about to pay when the page was reloaded: how to go on, without paying twice. */
export default function UnfinishedPayment() {
  const { t } = useTranslation('purchase');
  return (
    <Alert data-color="info" data-size="sm">
      <div className={styles.content}>
        <h2 className={styles.title}>{t('payment.unfinished_title')}</h2>
        <p>{t('payment.unfinished_text')}</p>
        <PaidLink />
      </div>
    </Alert>
  );
}
