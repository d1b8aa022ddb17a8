import { Button } from '@digdir/designsystemet-react';
import { CardElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { formatKroner, formatNok } from '#lib/format.ts';
import styles from './card-form.module.css';
import { useCardStyle } from './use-card-style.ts';

export type CardFormProps = {
  clientSecret: string;
  /** Øre, including VAT. */
  amount: number;
  serviceDays: number;
  /** Called once, with the id of the payment that went through. */
  onPaid: (paymentIntentId: string) => void;
  onCancel: () => void;
};

export function CardForm({ clientSecret, amount, serviceDays, onPaid, onCancel }: CardFormProps) {
  const { t } = useTranslation();
  const stripe = useStripe();
  const elements = useElements();
  const style = useCardStyle();
  const [message, setMessage] = useState('');
  const [processing, setProcessing] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const card = elements?.getElement('card');
    if (!stripe || !card || processing) return;
    setProcessing(true);
    setMessage('');
    try {
      const { error, paymentIntent } = await stripe.confirmCardPayment(clientSecret, {
        payment_method: { card },
      });
      // Paid already, for example when an earlier answer was lost on its way: that is success.
      const paid = paymentIntent ?? error?.payment_intent;
      if (paid?.status === 'succeeded') {
        onPaid(paid.id);
        return;
      }
      setMessage(error?.message ?? t('payment.failed'));
    } catch {
      setMessage(t('payment.failed'));
    }
    setProcessing(false);
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <div className={styles.total}>
        <span>{t('payment.amount')}</span>
        <strong>{formatNok(amount)}</strong>
      </div>
      <div role="group" aria-label={t('payment.card')} className={styles.card}>
        <CardElement options={{ hidePostalCode: true, style }} />
      </div>
      <FormAlert>{message}</FormAlert>
      <BusyButton type="submit" busy={!stripe || processing}>
        {t('payment.pay', { price: formatKroner(amount / 100), count: serviceDays })}
      </BusyButton>
      <p className={styles.note}>
        {t('payment.terms_before')} {/* Another tab: in this one, what was typed would be lost. */}
        <a className="ds-link" href="/vilkar" target="_blank" rel="noreferrer">
          {t('payment.terms_link')}
        </a>
        .
      </p>
      <p className={styles.note}>{t('payment.no_subscription')}</p>
      <p className={styles.note}>{t('payment.secure')}</p>
      <Button variant="tertiary" disabled={processing} onClick={onCancel} className={styles.cancel}>
        {t('actions.cancel')}
      </Button>
    </form>
  );
}
