import type { NotYetResponse } from '@proveklar/contract/payment.ts';
import { Spinner } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import styles from './settling-payment.module.css';

type SettlingPaymentProps = {
  paid: boolean;
  /** What the bank is doing, once the server has said that it is not done. */
  waiting?: NotYetResponse['status'] | undefined;
};

/** Between the card and what it buys: the bank's own time, and ours. */
export function SettlingPayment({ paid, waiting }: SettlingPaymentProps) {
  const { t } = useTranslation(['translation', 'purchase']);
  return (
    <div role="status" className={styles.settling}>
      <Spinner aria-hidden="true" />
      {waiting ? (
        <div>
          <h2 className={styles.title}>{t(`purchase:payment.waiting.${waiting}_title`)}</h2>
          <p>{t(`purchase:payment.waiting.${waiting}_text`)}</p>
        </div>
      ) : (
        <p>{t(paid ? 'payment.confirming' : 'app.loading')}</p>
      )}
    </div>
  );
}
