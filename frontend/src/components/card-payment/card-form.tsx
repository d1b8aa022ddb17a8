import { Button } from '@digdir/designsystemet-react';
import { CardElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { PaymentIntent, StripeElementStyle, StripeError } from '@stripe/stripe-js';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { formatNok } from '#lib/format.ts';
import { notePaying } from '#lib/payment-keys.ts';
import styles from './card-form.module.css';
import { PurchaseTerms } from './purchase-terms.tsx';
import { usePriceText } from './use-price-text.ts';

export type CardFormProps = {
  clientSecret: string;
  /** Øre, including VAT. */
  amount: number;
  serviceDays: number;
  /** The card has nothing more to do: paid, or in the bank's hands, or over. The server knows which. */
  onDone: () => void;
  /** While a card is being charged. */
  onPaying?: (paying: boolean) => void;
  /** One step back; the payment stays open. */
  onBack: () => void;
  /** Leaves it for good. */
  onCancel?: (() => void) | undefined;
};

/** With these, no card can or need be asked for. */
const DONE = new Set<PaymentIntent.Status | undefined>(['succeeded', 'processing', 'canceled']);

export function CardForm(props: CardFormProps) {
  const { clientSecret, amount, serviceDays, onPaying, onDone, onBack, onCancel } = props;
  const { t, i18n } = useTranslation(['translation', 'purchase']);
  const priceText = usePriceText();
  const stripe = useStripe();
  const elements = useElements();
  const style = useCardStyle();
  const [message, setMessage] = useState('');
  const [processing, setProcessing] = useState(false);

  // Of somebody who comes back: it may have been paid in another tab, or before a reload.
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  });
  useEffect(() => {
    let left = false;
    void stripe?.retrievePaymentIntent(clientSecret).then(({ paymentIntent }) => {
      if (left) return;
      if (DONE.has(paymentIntent?.status)) done.current();
      else if (paymentIntent?.status === 'requires_action') {
        setMessage(t('purchase:payment.not_confirmed'));
      }
    });
    return () => {
      left = true;
    };
  }, [stripe, clientSecret, t]);

  /** @returns what to say, or null when there is nothing more to do here */
  async function failure(error: StripeError | undefined): Promise<string | null> {
    if (DONE.has(error?.payment_intent?.status)) return null;
    if (error?.type !== 'api_connection_error') return explain(error);
    // No answer: the card may have been charged all the same.
    const { paymentIntent } = (await stripe?.retrievePaymentIntent(clientSecret)) ?? {};
    if (DONE.has(paymentIntent?.status)) return null;
    return paymentIntent ? explain(error) : t('purchase:payment.no_answer');
  }

  /** The provider's own words, and what they leave out: that nothing was charged, and what to do. */
  function explain(error: StripeError | undefined): string {
    if (!error?.message) return t('payment.failed');
    const isRefused = error.type === 'card_error';
    const isUnconfirmed = error.code === 'payment_intent_authentication_failure';
    if (!isRefused && !isUnconfirmed) return error.message;
    const advice = isUnconfirmed ? 'payment.advice_confirm' : 'payment.advice_card';
    return `${error.message} ${t(`purchase:${advice}`)}`;
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const card = elements?.getElement('card');
    if (!stripe || !card || processing) return;
    setProcessing(true);
    onPaying?.(true);
    setMessage('');
    notePaying();
    let said: string | null = t('payment.failed');
    try {
      const { error, paymentIntent } = await stripe.confirmCardPayment(clientSecret, {
        payment_method: { card },
      });
      said = DONE.has(paymentIntent?.status) ? null : await failure(error);
    } catch {
      // The provider's script failed: the general text.
    }
    onPaying?.(false);
    if (said === null) {
      onDone();
      return;
    }
    setMessage(said);
    setProcessing(false);
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <div className={styles.total}>
        <span>{t('payment.amount')}</span>
        <strong>{priceText(amount)}</strong>
      </div>
      <div role="group" aria-label={t('payment.card')} className={styles.card}>
        <CardElement options={{ hidePostalCode: true, style }} />
      </div>
      <FormAlert>{message}</FormAlert>
      <BusyButton type="submit" busy={!stripe || processing}>
        {t('payment.pay', { price: formatNok(amount, i18n.language), count: serviceDays })}
      </BusyButton>
      <div role="status">
        {processing && <p className={styles.note}>{t('purchase:payment.running')}</p>}
      </div>
      <PurchaseTerms />
      <p className={styles.note}>{t('payment.secure')}</p>
      <div className={styles.ways}>
        <Button variant="tertiary" disabled={processing} onClick={onBack}>
          {t('purchase:payment.back')}
        </Button>
        {onCancel && (
          <Button variant="tertiary" disabled={processing} onClick={onCancel}>
            {t('purchase:payment.cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}

/**
 * The card fields live in the provider's frame, where our style sheets do not reach: what is typed
 * there follows the device when it turns dark or light, as the card around it does.
 */
function useCardStyle(): StripeElementStyle {
  const [style, setStyle] = useState(readCardStyle);
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setStyle(readCardStyle());
    dark.addEventListener('change', follow);
    return () => dark.removeEventListener('change', follow);
  }, []);
  return style;
}

function readCardStyle(): StripeElementStyle {
  const tokens = getComputedStyle(document.body);
  const token = (name: string) => tokens.getPropertyValue(name).trim();
  return {
    base: {
      fontSize: '16px',
      fontFamily: 'Inter, system-ui, sans-serif',
      color: token('--ds-color-neutral-text-default'),
      iconColor: token('--ds-color-primary-text-subtle'),
      '::placeholder': { color: token('--ds-color-neutral-text-subtle') },
    },
    invalid: {
      color: token('--ds-color-danger-text-default'),
      iconColor: token('--ds-color-danger-text-subtle'),
    },
  };
}
