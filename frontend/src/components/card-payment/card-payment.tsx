import { Button } from '@digdir/designsystemet-react';
import type { ConfigResponse } from '@proveklar/contract/config.ts';
import { languageTag } from '@proveklar/contract/language.ts';
import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import type { PaymentIntent, Stripe, StripeElementStyle, StripeError } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, FormEnd } from '#components/form.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { configQuery } from '#lib/config.ts';
import { formatNok } from '#lib/format.ts';
import { notePaying } from '#lib/payment-keys.ts';
import styles from './card-payment.module.css';
import { PurchaseTerms, usePriceText } from './offer.tsx';

/** Takes one payment by card. All code of the card provider is behind this component. */
export default function CardPayment(props: CardFormProps) {
  const { t, i18n } = useTranslation();
  const locale = languageTag(i18n.language);
  const { data: config } = useQuery(configQuery);
  const provider = useQuery({
    queryKey: ['card-provider', locale],
    queryFn: () => {
      if (!config) throw new Error('No settings');
      return loadCardProvider(config.stripe, locale);
    },
    enabled: config !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });

  if (provider.isError) {
    return (
      <RetryAlert onRetry={() => void provider.refetch()}>{t('payment.load_failed')}</RetryAlert>
    );
  }
  if (!provider.data) return <SkeletonLines label={t('app.loading')} lines={4} />;
  return (
    // The provider's elements cannot change their language once created.
    <Elements key={locale} stripe={provider.data}>
      <CardForm {...props} />
    </Elements>
  );
}

export type CardFormProps = {
  clientSecret: string;
  /** Øre, including VAT. */
  amount: number;
  serviceDays: number;
  /** The card form is done: the payment is paid, processing or cancelled. The server knows which. */
  onDone: () => void;
  /** Called when the charging of a card starts or ends. */
  onPaying?: (paying: boolean) => void;
  /** One step back; the payment stays open. */
  onBack: () => void;
  /** Leaves the payment for good. */
  onCancel?: (() => void) | undefined;
};

/** Statuses in which no card can or need be entered. */
const DONE = new Set<PaymentIntent.Status | undefined>(['succeeded', 'processing', 'canceled']);

function CardForm(props: CardFormProps) {
  const { clientSecret, amount, serviceDays, onPaying, onDone, onBack, onCancel } = props;
  const { t, i18n } = useTranslation(['translation', 'purchase']);
  const priceText = usePriceText();
  const stripe = useStripe();
  const elements = useElements();
  const style = useCardStyle();
  const [message, setMessage] = useState('');
  const [processing, setProcessing] = useState(false);

  // After a return to the page: it may have been paid in another tab, or before a reload.
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

  /** @returns the error message, or null if the payment is done all the same */
  async function failure(error: StripeError | undefined): Promise<string | null> {
    if (DONE.has(error?.payment_intent?.status)) return null;
    if (error?.type !== 'api_connection_error') return explain(error);
    // There was no answer: the card may have been charged.
    const { paymentIntent } = (await stripe?.retrievePaymentIntent(clientSecret)) ?? {};
    if (DONE.has(paymentIntent?.status)) return null;
    return paymentIntent ? explain(error) : t('purchase:payment.no_answer');
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

  async function submit() {
    const card = elements?.getElement('card');
    if (!stripe || !card) return;
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
      // The provider's script failed: the general message is used.
    }
    onPaying?.(false);
    if (said === null) {
      onDone();
      return;
    }
    setMessage(said);
    setProcessing(false);
  }

  // Nothing can be paid before the provider's script is loaded.
  const busy = !stripe || processing;
  return (
    <Form className={styles.form} busy={busy} onSubmit={() => void submit()}>
      <div className={styles.total}>
        <span>{t('payment.amount')}</span>
        <strong>{priceText(amount)}</strong>
      </div>
      <div role="group" aria-label={t('payment.card')} className={styles.card}>
        <CardElement options={{ hidePostalCode: true, style }} />
      </div>
      <FormEnd
        submit={t('payment.pay', { price: formatNok(amount, i18n.language), count: serviceDays })}
        busy={busy}
        error={message}
      />
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
    </Form>
  );
}

/**
 * The style of the card fields, which are in the provider's iframe, where our style sheets do not apply. It
 * follows the device's colour scheme, as the page around it does.
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

// The library's main entry would load the provider's script on import, before the learner wants to pay.

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error(`Could not load ${src}`));
    });
    document.head.append(script);
  });
}

const loading = new Map<string, Promise<Stripe>>();

/** The card provider in the given language; each language is loaded once, and again after a failure. */
function loadCardProvider(
  settings: ConfigResponse['stripe'],
  locale: 'nb' | 'en',
): Promise<Stripe> {
  const key = `${settings.publishable_key} ${locale}`;
  let provider = loading.get(key);
  if (!provider) {
    provider = load(settings, locale);
    loading.set(key, provider);
    provider.catch(() => loading.delete(key));
  }
  return provider;
}

async function load(settings: ConfigResponse['stripe'], locale: 'nb' | 'en'): Promise<Stripe> {
  // `loadStripe` uses a `Stripe` that is already there, such as the stand-in's, and loads no script then.
  if (settings.script_url && !('Stripe' in window)) await loadScript(settings.script_url);
  const stripe = await loadStripe(settings.publishable_key, { locale });
  if (!stripe) throw new Error('The card provider is not available');
  return stripe;
}
