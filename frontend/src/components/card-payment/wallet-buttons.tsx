import { ExpressCheckoutElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type {
  Stripe,
  StripeElements,
  StripeExpressCheckoutElementConfirmEvent,
  StripeExpressCheckoutElementOptions,
} from '@stripe/stripe-js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './card-payment.module.css';

type WalletButtonsProps = {
  /** A payment is being charged: the wallets do not open. */
  busy: boolean;
  /** Called when the customer has approved the payment in the wallet. */
  onConfirm: (
    stripe: Stripe,
    elements: StripeElements,
    event: StripeExpressCheckoutElementConfirmEvent,
  ) => void;
};

/** Link would sell an account of the provider's own; the others are not for a purchase in Norway. */
const OPTIONS: StripeExpressCheckoutElementOptions = {
  paymentMethods: {
    applePay: 'auto',
    googlePay: 'auto',
    link: 'never',
    amazonPay: 'never',
    paypal: 'never',
    klarna: 'never',
  },
  buttonHeight: 48,
};

/**
 * Apple Pay and Google Pay, where the device has them; otherwise nothing. A wallet that is closed, or never answers,
 * leaves the page as it was: only an approved payment is charged.
 */
export function WalletButtons({ busy, onConfirm }: WalletButtonsProps) {
  const { t } = useTranslation('purchase');
  const stripe = useStripe();
  const elements = useElements();
  const [available, setAvailable] = useState(false);
  return (
    <div
      {...(available && { role: 'group', 'aria-label': t('payment.wallets') })}
      className={styles.wallets}
      // The provider needs a place to find out, and shows nothing in it until it has.
      data-available={available}
      inert={busy || !available}
    >
      <ExpressCheckoutElement
        options={OPTIONS}
        onReady={({ availablePaymentMethods: methods }) =>
          setAvailable(Boolean(methods?.applePay || methods?.googlePay))
        }
        // The form below is always there, and says what is wrong.
        onLoadError={() => setAvailable(false)}
        onConfirm={(event) => stripe && elements && onConfirm(stripe, elements, event)}
      />
      {available && <p className={styles.or}>{t('payment.or_card')}</p>}
    </div>
  );
}
