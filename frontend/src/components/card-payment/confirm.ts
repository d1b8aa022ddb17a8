import type {
  PaymentIntent,
  Stripe,
  StripeElements,
  StripeError,
  StripeExpressCheckoutElementConfirmEvent,
} from '@stripe/stripe-js';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';
import { notePaying } from '#lib/payment-keys.ts';

/** Statuses in which no payment method can or need be given. */
const DONE = new Set<PaymentIntent.Status | undefined>(['succeeded', 'processing', 'canceled']);

/** Whether a payment is paid, processing or cancelled, so that the server has the rest to say. */
export const isDone = (status: PaymentIntent.Status | undefined) => DONE.has(status);

/** Where banks and wallets send their customers back to, in any browser. It works without what is in memory here. */
const RETURN_PATH = '/quiz/payment';

type Charge = {
  clientSecret: string;
  /** For the bank, which may ask for them in 3-D Secure; null if unknown. */
  buyer: { name: string | null; email: string | null };
};

/**
 * Charges a payment with what the learner entered, or by a wallet. Each answers with the error message, or with
 * null if the payment is done. A method that leaves the page, as Vipps does, never answers.
 */
export function useConfirmation({ clientSecret, buyer }: Charge) {
  const { t } = useTranslation(['translation', 'purchase']);
  const returnUrl = `${window.location.origin}${RETURN_PATH}?lng=${currentLanguage()}`;

  async function statusOf(stripe: Stripe) {
    const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret);
    return paymentIntent?.status;
  }

  /** @returns the error message, or null if the payment is done all the same */
  async function failure(stripe: Stripe, error: StripeError | undefined): Promise<string | null> {
    if (isDone(error?.payment_intent?.status)) return null;
    if (error?.type !== 'api_connection_error') return explain(error);
    // There was no answer: the card may have been charged.
    const status = await statusOf(stripe);
    if (isDone(status)) return null;
    return status ? explain(error) : t('purchase:payment.no_answer');
  }

  /** The provider's message, with what it leaves out: that nothing was charged, and what to do. */
  function explain(error: StripeError | undefined): string {
    if (!error?.message) return t('payment.failed');
    const isRefused = error.type === 'card_error';
    const isUnconfirmed = error.code === 'payment_intent_authentication_failure';
    if (!isRefused && !isUnconfirmed) return error.message;
    const advice = isUnconfirmed ? 'payment.advice_confirm' : 'payment.advice_card';
    return `${error.message} ${t(`purchase:${advice}`)}`;
  }

  async function pay(stripe: Stripe, elements: StripeElements): Promise<string | null> {
    // Checks the fields, before anything is sent or stored.
    const { error: unfinished } = await elements.submit();
    if (unfinished) return explain(unfinished);
    notePaying();
    const confirm = (details: Partial<typeof buyer>) =>
      stripe.confirmPayment({
        elements,
        confirmParams: {
          return_url: returnUrl,
          payment_method_data: {
            billing_details: {
              ...buyer,
              ...details,
              address: { country: null, postal_code: null },
            },
          },
        },
        redirect: 'if_required',
      });
    let answer = await confirm({});
    // Of use to the bank only: an address that the provider refuses must not prevent the payment.
    if (answer.error?.code === 'email_invalid') answer = await confirm({ email: null });
    const { error, paymentIntent } = answer;
    return isDone(paymentIntent?.status) ? null : failure(stripe, error);
  }

  async function payByWallet(
    stripe: Stripe,
    elements: StripeElements,
    event: StripeExpressCheckoutElementConfirmEvent,
  ): Promise<string | null> {
    const { error: unfinished } = await elements.submit();
    if (unfinished) {
      // Closes the wallet, which otherwise waits for us.
      event.paymentFailed({ reason: 'fail' });
      return explain(unfinished);
    }
    notePaying();
    // The wallet has name and address of its owner.
    const { error, paymentIntent } = await stripe.confirmPayment({
      elements,
      confirmParams: { return_url: returnUrl },
      redirect: 'if_required',
    });
    return isDone(paymentIntent?.status) ? null : failure(stripe, error);
  }

  return { pay, payByWallet };
}
