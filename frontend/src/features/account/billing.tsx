import { Alert, Button } from '@digdir/designsystemet-react';
import type { AccountResponse } from '@proveklar/contract/account.ts';
import type { IntentResponse } from '@proveklar/contract/payment.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { ButtonLink } from '#components/link.tsx';
import { cancelPayment } from '#components/card-payment/cancel-payment.ts';
import { LazyCardPayment } from '#components/card-payment/lazy-card-payment.tsx';
import {
  ConsentBox,
  currentConsent,
  PaidLink,
  PurchaseTerms,
  useConsent,
  usePriceText,
} from '#components/card-payment/offer.tsx';
import { PaymentProblem } from '#components/card-payment/payment-problem.tsx';
import { problemOf } from '#components/card-payment/problem.ts';
import { SettlingPayment, useSettlement } from '#components/card-payment/settling.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { FormCard } from '#components/layout.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { type Waiting, WaitingDays, waitingOf } from '#components/waiting-days.tsx';
import { ApiError } from '#lib/api-error.ts';
import { configQuery } from '#lib/config.ts';
import { useErrorText } from '#lib/error-text.ts';
import { formatDate } from '#lib/format.ts';
import { useHeadingFocus } from '#lib/use-focus.ts';
import { useHistorySteps } from '#lib/use-history-steps.ts';
import { AccountDetails } from './account-details.tsx';
import styles from './account.module.css';
import { accountKeys, accountQuery, confirmPayment, createIntent } from './api.ts';
import { daysTone, type DaysTone } from './days-tone.ts';

type Step = 'offer' | 'card' | 'outcome' | 'cancelled' | 'cancel_unknown';

/** A started payment, and the end of access before it. */
type StartedPayment = {
  paymentIntentId: string | null;
  /** Undefined for a payment that was started before the page was opened. */
  intent?: IntentResponse;
  isNew: boolean;
  expiresAt: string | null | undefined;
};

type BillingScreenProps = {
  /** The PaymentIntent that the bank is processing; null for none, undefined while unknown. */
  processing: string | null | undefined;
  /** Access may return without a payment, so paying is not the main action. */
  onHold: boolean;
  /** Shown above the offer. */
  renderNotices: (service: { hasAccess: boolean }) => ReactNode;
};

/** The purchase of days: the current access, the offer, the card, and the result. */
export function BillingScreen({ processing, onHold, renderNotices }: BillingScreenProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: service, isPending } = useQuery(accountQuery);
  const [reached, setStep] = useState<Step>('offer');
  const [begun, setBegun] = useState<StartedPayment>();
  const [left, setLeft] = useState<string | null>();
  const [paying, setPaying] = useState(false);
  const entry = useHistorySteps(reached !== 'offer');
  // Back from the card shows the offer again; the payment stays open, and Forward continues it.
  const step = reached === 'card' && entry.step !== 'card' ? 'offer' : reached;
  useHeadingFocus(step);

  const tone = service && daysTone(service);
  const isNew = begun?.isNew ?? tone === 'none';
  const intent = begun?.intent;
  const expiresAt = service?.account.service_expires_at;
  // Whether it was paid in another tab or before a reload, by the account's data.
  const hasMore = isLater(expiresAt, begun?.expiresAt);
  const extended = step === 'card' && !paying && hasMore;
  const isPaying = step === 'card' && !extended;

  // A payment from before a reload or another tab: no new one is offered while the bank is processing it.
  const resumes = reached === 'offer' && !isPending && processing && processing !== left;
  if (resumes) {
    setBegun({ paymentIntentId: processing, isNew, expiresAt });
    setStep('outcome');
  }

  async function onIntent(next: IntentResponse) {
    const { payment_intent_id: paymentIntentId } = next;
    setBegun({ paymentIntentId, intent: next, isNew, expiresAt });
    // Starting a payment settles an earlier one that was paid but not confirmed.
    await queryClient.invalidateQueries({ queryKey: accountKeys.own() });
    showCard();
  }

  function showCard() {
    setStep('card');
    if (entry.step !== 'card') void entry.forward('card');
  }

  function startAgain() {
    setLeft(begun?.paymentIntentId);
    setBegun(undefined);
    setStep('offer');
  }

  async function cancel() {
    const done = intent ? await cancelPayment(intent) : 'cancelled';
    if (done === 'completed') setStep('outcome');
    else setStep(done === 'unknown' ? 'cancel_unknown' : 'cancelled');
  }

  return (
    <FormCard>
      <h1>{isPaying ? t('payment.title') : t(isNew ? 'account.get_access' : 'billing.title')}</h1>
      <AccountDetails brief />
      {step === 'offer' && (
        <>
          {service && renderNotices({ hasAccess: service.days_remaining > 0 })}
          {processing === undefined ? (
            <SkeletonLines label={t('app.loading')} lines={4} />
          ) : (
            <BillingOffer
              tone={tone}
              waiting={waitingOf(service)}
              onHold={onHold}
              onIntent={onIntent}
            />
          )}
        </>
      )}
      {extended && service && <BillingExtended service={service} onPayMore={startAgain} />}
      {isPaying && intent?.client_secret && (
        <LazyCardPayment
          clientSecret={intent.client_secret}
          amount={intent.amount}
          serviceDays={intent.service_days}
          buyer={{ name: service?.display_name ?? null, email: service?.email ?? null }}
          onPaying={setPaying}
          onDone={() => setStep('outcome')}
          onBack={entry.back}
          onCancel={cancel}
        />
      )}
      {step === 'outcome' && begun?.paymentIntentId && (
        <BillingOutcome
          paymentIntentId={begun.paymentIntentId}
          isNew={isNew}
          settledDays={hasMore ? service?.days_remaining : undefined}
          onOtherCard={() => (intent ? showCard() : startAgain())}
          onStartAgain={startAgain}
        />
      )}
      {(step === 'cancelled' || step === 'cancel_unknown') && (
        <BillingCancelled known={step === 'cancelled'} onStartAgain={startAgain} />
      )}
    </FormCard>
  );
}

function isLater(now: string | null | undefined, before: string | null | undefined): boolean {
  // If the earlier end is unknown, nothing counts as changed.
  if (!now || before === undefined) return false;
  return !before || Date.parse(now) > Date.parse(before);
}

type BillingCancelledProps = {
  /** Whether the server has confirmed the cancellation. */
  known: boolean;
  onStartAgain: () => void;
};

/** Shown after leaving a payment for good. Starting again is safe even if the cancellation is uncertain. */
function BillingCancelled({ known, onStartAgain }: BillingCancelledProps) {
  const { t } = useTranslation(['translation', 'purchase']);
  const problem = known ? 'cancelled' : 'cancel_unknown';
  return (
    <>
      <Alert data-color="info" role="status">
        <h2>{t(`purchase:payment.problem.${problem}_title`)}</h2>
        <p>{t(`purchase:payment.problem.${problem}_text`)}</p>
      </Alert>
      <ButtonLink to="/quiz">{t('actions.to_quiz_home')}</ButtonLink>
      <Button variant="tertiary" onClick={onStartAgain}>
        {t('purchase:payment.start_again')}
      </Button>
    </>
  );
}

type BillingExtendedProps = { service: AccountResponse; onPayMore: () => void };

/** Shown when a payment made elsewhere was settled meanwhile, so that nothing is paid twice by mistake. */
function BillingExtended({ service, onPayMore }: BillingExtendedProps) {
  const { t, i18n } = useTranslation(['translation', 'purchase']);
  const date = formatDate(service.account.service_expires_at ?? '', i18n.language);
  return (
    <>
      <Alert data-color="success" role="status">
        <h2>{t('purchase:payment.extended.title')}</h2>
        <p>{t('purchase:payment.extended.text', { date })}</p>
      </Alert>
      <ButtonLink to="/quiz">{t('billing.to_quiz')}</ButtonLink>
      <Button variant="tertiary" onClick={onPayMore}>
        {t('purchase:payment.extended.pay_more')}
      </Button>
    </>
  );
}

type BillingOfferProps = {
  tone: DaysTone | undefined;
  /** Days that are paid for and begin later. */
  waiting: Waiting;
  /** Access may come back without a payment: then paying is not the first thing to do. */
  onHold: boolean;
  onIntent: (intent: IntentResponse) => Promise<void>;
};

/** The price of more days, with the payment button; or that access is free. */
function BillingOffer({ tone, waiting, onHold, onIntent }: BillingOfferProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data: config } = useQuery(configQuery);
  const priceText = usePriceText();
  const consent = useConsent();
  const begin = useMutation({
    mutationFn: async () => onIntent(await createIntent({ consent_version: currentConsent() })),
  });
  const isFree =
    config?.price === 0 || (begin.error instanceof ApiError && begin.error.code === 'service_free');
  if (isFree) {
    return (
      <>
        <Alert data-color="info">{t('billing.free')}</Alert>
        <ButtonLink to="/quiz">{t('billing.to_quiz')}</ButtonLink>
      </>
    );
  }
  return (
    <>
      <WaitingDays waiting={waiting} />
      {tone === 'none' && waiting.length === 0 && <p>{t('billing.needed')}</p>}
      {tone === 'expired' && !onHold && waiting.length === 0 && <p>{t('account.expired_text')}</p>}
      {config ? (
        <p className={styles.offer}>
          <strong>{priceText(config.price * 100)}</strong>
          <span>
            {t(tone === 'none' ? 'billing.text_new' : 'billing.text', {
              count: config.service_days,
            })}
          </span>
        </p>
      ) : (
        <span className="ds-skeleton" style={{ height: '3rem' }} />
      )}
      <PurchaseTerms />
      <ConsentBox {...consent.box} />
      <FormAlert>
        {begin.error && t('payment.intent_failed', { message: errorText(begin.error) })}
      </FormAlert>
      <BusyButton
        className={styles.proceed}
        variant={onHold ? 'secondary' : 'primary'}
        busy={begin.isPending}
        onClick={() => consent.isGiven() && begin.mutate()}
      >
        {t('payment.proceed')}
      </BusyButton>
      <PaidLink />
    </>
  );
}

type BillingOutcomeProps = {
  paymentIntentId: string;
  isNew: boolean;
  /** The days in the account, if the webhook has already settled the payment. */
  settledDays: number | undefined;
  onOtherCard: () => void;
  onStartAgain: () => void;
};

/** After the card: the new days, the bank's processing, or a failure with a way on. */
function BillingOutcome(props: BillingOutcomeProps) {
  const { paymentIntentId, isNew, settledDays, onOtherCard, onStartAgain } = props;
  const queryClient = useQueryClient();
  const { result, waiting, error, busy, retry } = useSettlement({
    queryKey: accountKeys.payment(paymentIntentId),
    ask: () => confirmPayment({ payment_intent_id: paymentIntentId }),
    enabled: true,
  });
  useEffect(() => {
    if (result) void queryClient.invalidateQueries({ queryKey: accountKeys.all });
  }, [result, queryClient]);

  const problem = error && problemOf(error);
  const days = result?.days_remaining ?? (problem === 'unsettled' ? settledDays : undefined);
  if (days !== undefined) {
    return <BillingSuccess days={days} waiting={waitingOf(result)} isNew={isNew} />;
  }
  if (!problem) return <SettlingPayment paid waiting={waiting} />;
  return (
    <PaymentProblem
      key={problem}
      // This problem occurs only in a registration.
      problem={problem === 'password' ? 'unsettled' : problem}
      error={error}
      busy={busy}
      onRetry={retry}
      onOtherCard={onOtherCard}
      onStartAgain={onStartAgain}
    />
  );
}

type BillingSuccessProps = {
  days: number;
  /** Days that begin later, so that access has not started or been extended yet. */
  waiting: Waiting;
  isNew: boolean;
};

function BillingSuccess({ days, waiting, isNew }: BillingSuccessProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const waits = waiting.length > 0;
  const title = isNew ? 'billing.success_title_new' : 'billing.success_title';
  const goOn = () => void navigate({ to: '/quiz' });
  return (
    <AppDialog
      open
      closable={false}
      title={t(waits ? 'billing.success_title_waiting' : title)}
      onClose={goOn}
    >
      <WaitingDays waiting={waiting} />
      {(days > 0 || !waits) && <p>{t('billing.success_text', { count: days })}</p>}
      <DialogActions>
        <Button onClick={goOn}>{t('billing.to_quiz')}</Button>
      </DialogActions>
    </AppDialog>
  );
}
