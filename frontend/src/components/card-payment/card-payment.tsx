import { Button } from '@digdir/designsystemet-react';
import type { ConfigResponse } from '@proveklar/contract/config.ts';
import { languageTag } from '@proveklar/contract/language.ts';
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type {
  Appearance,
  Stripe,
  StripeElements,
  StripePaymentElementOptions,
} from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { Form, FormEnd } from '#components/form.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { configQuery } from '#lib/config.ts';
import { formatNok } from '#lib/format.ts';
import styles from './card-payment.module.css';
import { isDone, useConfirmation } from './confirm.ts';
import { type Purchase, PurchaseTerms, usePriceText } from './offer.tsx';
import { WalletButtons } from './wallet-buttons.tsx';

/** Takes one payment: by a wallet of the device, or by the form below it. All code of the provider is behind this. */
export function CardPayment(props: CardFormProps) {
  const { t, i18n } = useTranslation();
  const locale = languageTag(i18n.language);
  // The provider's form is tried again by a new one.
  const [attempt, setAttempt] = useState(0);
  const [failed, setFailed] = useState(false);
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

  function retry() {
    if (provider.isError) void provider.refetch();
    setAttempt(attempt + 1);
    setFailed(false);
  }

  if (provider.isError || failed) {
    return <RetryAlert onRetry={retry}>{t('payment.load_failed')}</RetryAlert>;
  }
  if (!provider.data) return <SkeletonLines label={t('app.loading')} lines={4} />;
  return (
    <PaymentSteps
      // The provider's elements cannot change their language or payment once created.
      key={`${locale} ${props.clientSecret} ${attempt}`}
      {...props}
      provider={provider.data}
      onLoadFailed={() => setFailed(true)}
    />
  );
}

type PaymentStepsProps = CardFormProps & { provider: Stripe; onLoadFailed: () => void };

/** The wallets above, the form below. They share the message, and only one of them can be charging. */
function PaymentSteps({ provider, ...props }: PaymentStepsProps) {
  const { clientSecret, onDone, onPaying } = props;
  const { t } = useTranslation(['translation', 'purchase']);
  const priceText = usePriceText(props.purchase);
  const appearance = useAppearance();
  const [message, setMessage] = useState('');
  const [processing, setProcessing] = useState(false);
  const [cancelling, setCancelling] = useState(false);
  const { pay, payByWallet } = useConfirmation(props);

  async function run(attempt: () => Promise<string | null>) {
    setProcessing(true);
    onPaying?.(true);
    setMessage('');
    let said: string | null = t('payment.failed');
    try {
      said = await attempt();
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

  async function cancel() {
    setCancelling(true);
    await props.onCancel?.();
    setCancelling(false);
  }

  // After a return to the page: it may have been paid in another tab or app, or before a reload. A page that was
  // left for a bank's may also come back from the browser's memory, in the middle of a charge.
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  });
  useEffect(() => {
    let left = false;
    async function look() {
      const { paymentIntent } = await provider.retrievePaymentIntent(clientSecret);
      if (left) return;
      if (isDone(paymentIntent?.status)) done.current();
      else if (paymentIntent?.status === 'requires_action') {
        setMessage(t('purchase:payment.not_confirmed'));
      }
    }
    function comeBack({ persisted }: PageTransitionEvent) {
      if (!persisted) return;
      setProcessing(false);
      void look();
    }
    void look();
    window.addEventListener('pageshow', comeBack);
    return () => {
      left = true;
      window.removeEventListener('pageshow', comeBack);
    };
  }, [provider, clientSecret, t]);

  const options = { clientSecret, appearance };
  return (
    <>
      <div className={styles.total}>
        <span>{t('payment.amount')}</span>
        <strong>{priceText(props.amount)}</strong>
      </div>
      {/* A group of its own: a wallet must not wait for a complete card. */}
      <Elements stripe={provider} options={options}>
        <WalletButtons
          busy={processing || cancelling}
          onConfirm={(stripe, elements, event) =>
            void run(() => payByWallet(stripe, elements, event))
          }
        />
      </Elements>
      <Elements stripe={provider} options={options}>
        <CardForm
          {...props}
          message={message}
          processing={processing}
          cancelling={cancelling}
          onCancel={props.onCancel && (() => void cancel())}
          onPay={(stripe, elements) => void run(() => pay(stripe, elements))}
        />
      </Elements>
    </>
  );
}

export type CardFormProps = {
  clientSecret: string;
  /** Øre, including VAT. */
  amount: number;
  serviceDays: number;
  purchase?: Purchase;
  /** The label of the button, for a purchase that is not days for the buyer. */
  payLabel?: string;
  /** For the bank, which may ask for them in 3-D Secure; null if unknown. */
  buyer: { name: string | null; email: string | null };
  /** The card form is done: the payment is paid, processing or cancelled. The server knows which. */
  onDone: () => void;
  /** Called when the charging of a card starts or ends. */
  onPaying?: (paying: boolean) => void;
  /** One step back; the payment stays open. */
  onBack: () => void;
  /** Leaves the payment for good. Nothing can be paid until it is done. */
  onCancel?: () => Promise<void>;
};

/**
 * Cards first. The provider asks for nothing that we know or do not need: what is hidden here must be passed on
 * confirming. Wallets have buttons of their own; Link would sell an account of the provider's own.
 */
const OPTIONS: StripePaymentElementOptions = {
  layout: { type: 'accordion', defaultCollapsed: false, radios: 'if_multiple' },
  paymentMethodOrder: ['card', 'vipps'],
  fields: {
    billingDetails: {
      name: 'never',
      email: 'never',
      address: { country: 'never', postalCode: 'never' },
    },
  },
  wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
  // Terms of storing a card, which we do not do.
  terms: { card: 'never' },
};

type PaymentFormProps = Omit<CardFormProps, 'onCancel'> & {
  message: string;
  processing: boolean;
  cancelling: boolean;
  onCancel: (() => void) | undefined;
  onLoadFailed: () => void;
  onPay: (stripe: Stripe, elements: StripeElements) => void;
};

function CardForm(props: PaymentFormProps) {
  const { clientSecret, amount, serviceDays, message, processing, onPay, onDone, onBack } = props;
  const { cancelling, onCancel, onLoadFailed } = props;
  const { t, i18n } = useTranslation(['translation', 'purchase']);
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);

  /** The provider shows no form for a payment that is done, either. */
  async function explainNoForm() {
    const { paymentIntent } = (await stripe?.retrievePaymentIntent(clientSecret)) ?? {};
    if (isDone(paymentIntent?.status)) onDone();
    else onLoadFailed();
  }

  return (
    // Nothing can be paid before the provider's form is there.
    <Form
      className={styles.form}
      busy={processing}
      resting={!ready || cancelling}
      onSubmit={() => stripe && elements && onPay(stripe, elements)}
    >
      <div role="group" aria-label={t('payment.card')} className={styles.card}>
        <PaymentElement
          options={OPTIONS}
          onReady={() => setReady(true)}
          onLoadError={() => void explainNoForm()}
        />
      </div>
      <FormEnd
        submit={
          props.payLabel ??
          t('payment.pay', { price: formatNok(amount, i18n.language), count: serviceDays })
        }
        busy={processing}
        resting={!ready || cancelling}
        error={message}
      />
      <div role="status">
        {processing && <p className={styles.note}>{t('purchase:payment.running')}</p>}
      </div>
      <PurchaseTerms of={props.purchase} />
      <p className={styles.note}>{t('payment.secure')}</p>
      <div className={styles.ways}>
        <Button variant="tertiary" disabled={processing || cancelling} onClick={onBack}>
          {t('purchase:payment.back')}
        </Button>
        {onCancel && (
          <BusyButton variant="tertiary" busy={cancelling} resting={processing} onClick={onCancel}>
            {t('purchase:payment.cancel')}
          </BusyButton>
        )}
      </div>
    </Form>
  );
}

/**
 * The look of the provider's form, which is in its iframe, where our style sheets do not apply. It follows the
 * colour scheme of the page around it.
 */
function useAppearance(): Appearance {
  const [appearance, setAppearance] = useState(readAppearance);
  useEffect(() => {
    const dark = matchMedia(DARK);
    const follow = () => setAppearance(readAppearance());
    dark.addEventListener('change', follow);
    return () => dark.removeEventListener('change', follow);
  }, []);
  return appearance;
}

const DARK = '(prefers-color-scheme: dark)';

function readAppearance(): Appearance {
  const tokens = getComputedStyle(document.body);
  const token = (name: string) => tokens.getPropertyValue(name).trim();
  const { colorScheme } = document.documentElement.dataset;
  const isDark = colorScheme === 'dark' || (colorScheme !== 'light' && matchMedia(DARK).matches);
  const border = `1px solid ${token('--ds-color-neutral-border-default')}`;
  return {
    theme: isDark ? 'night' : 'stripe',
    variables: {
      fontFamily: 'Inter, system-ui, sans-serif',
      fontSizeBase: '16px',
      colorPrimary: token('--ds-color-primary-text-subtle'),
      colorBackground: token('--pk-surface'),
      colorText: token('--ds-color-neutral-text-default'),
      colorTextSecondary: token('--ds-color-neutral-text-subtle'),
      colorTextPlaceholder: token('--ds-color-neutral-text-subtle'),
      colorDanger: token('--ds-color-danger-text-subtle'),
      iconColor: token('--ds-color-primary-text-subtle'),
      borderRadius: '8px',
    },
    rules: {
      '.Label': { fontSize: '16px' },
      '.Error': { fontSize: '16px' },
      '.Input': { border, boxShadow: 'none' },
      '.Input--invalid': { border, borderColor: token('--ds-color-danger-border-default') },
      '.Input:focus': {
        border,
        boxShadow: 'none',
        outline: `3px solid ${token('--ds-color-focus-outer')}`,
        outlineOffset: '2px',
      },
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
