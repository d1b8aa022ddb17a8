import { Alert, Button } from '@digdir/designsystemet-react';
import type { IntentResponse } from '@proveklar/contract/payment.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { ButtonLink } from '#components/link.tsx';
import { cancelPayment } from '#components/card-payment/cancel-payment.ts';
import { LazyCardPayment } from '#components/card-payment/lazy-card-payment.tsx';
import {
  ConsentBox,
  currentConsent,
  PurchaseTerms,
  useConsent,
  usePriceText,
} from '#components/card-payment/offer.tsx';
import { DefinitionList } from '#components/definition-list.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { currentLanguage } from '#i18n/i18n.ts';
import { useErrorText } from '#lib/error-text.ts';
import { useHeadingFocus } from '#lib/use-focus.ts';
import { createRegistrationIntent, type PendingRegistration, type RegistrationEnd } from './api.ts';
import { RegistrationOutcome } from './registration-outcome.tsx';
import styles from './registration.module.css';

type RegistrationPaymentProps = {
  pending: PendingRegistration;
  step: 'billing' | 'card' | RegistrationEnd;
  /** Called with the current offer. */
  onIntent: (intent: IntentResponse) => void;
  onCard: () => void;
  onEnd: (end: RegistrationEnd) => void;
  /** Goes one step back, as the browser's Back; the payment stays open. */
  onBack: () => void;
  /** Goes back to the form, with the typed input. */
  onStartAgain: () => void;
};

/** The steps after the form: the offer, the card, and the outcome. */
export default function RegistrationPayment(props: RegistrationPaymentProps) {
  const { pending, step, onIntent, onCard, onEnd, onBack, onStartAgain } = props;
  const { intent } = pending;
  const { t } = useTranslation();
  useHeadingFocus(step);

  async function cancel() {
    const nothingToCancel = intent.client_secret === null;
    // If it was paid in another tab, the registration continues.
    const done = nothingToCancel ? 'cancelled' : await cancelPayment(intent);
    if (done === 'completed') onEnd('outcome');
    else onEnd(done === 'unknown' ? 'cancel_unknown' : 'cancelled');
  }

  if (step === 'billing') {
    return (
      <BillingStep
        pending={pending}
        onIntent={onIntent}
        onProceed={(next) => {
          onIntent(next);
          if (next.client_secret === null) onEnd('outcome');
          else onCard();
        }}
        onBack={onBack}
        onCancel={cancel}
      />
    );
  }
  if (step === 'cancelled' || step === 'cancel_unknown') {
    return <RegistrationCancelled known={step === 'cancelled'} onStartAgain={onStartAgain} />;
  }
  if (step === 'card' && intent.client_secret !== null) {
    return (
      <>
        <h1>{t('payment.title')}</h1>
        <p className="muted">{t('registration.card_step')}</p>
        <LazyCardPayment
          clientSecret={intent.client_secret}
          amount={intent.amount}
          serviceDays={intent.service_days}
          buyer={{ name: pending.person.username, email: pending.person.email }}
          onDone={() => onEnd('outcome')}
          onBack={onBack}
          onCancel={cancel}
        />
      </>
    );
  }
  return <RegistrationOutcome pending={pending} onOtherCard={onCard} onStartAgain={onStartAgain} />;
}

type RegistrationCancelledProps = {
  /** Whether the server has confirmed the cancellation. */
  known: boolean;
  onStartAgain: () => void;
};

/** Shown after leaving a payment for good. Starting again is safe even if the cancellation is uncertain. */
function RegistrationCancelled({ known, onStartAgain }: RegistrationCancelledProps) {
  const { t } = useTranslation(['translation', 'purchase']);
  const problem = known ? 'cancelled' : 'cancel_unknown';
  return (
    <>
      <h1>{t(`purchase:payment.problem.${problem}_title`)}</h1>
      <p>{t(`purchase:payment.problem.${problem}_text`)}</p>
      <Button onClick={onStartAgain}>{t('purchase:payment.start_again')}</Button>
      <ButtonLink to="/" variant="tertiary">
        {t('actions.to_front_page')}
      </ButtonLink>
    </>
  );
}

type BillingStepProps = {
  pending: PendingRegistration;
  /** Called when the offer has changed meanwhile. */
  onIntent: (intent: IntentResponse) => void;
  onProceed: (intent: IntentResponse) => void;
  onBack: () => void;
  onCancel: () => Promise<void>;
};

/** The offer and the buyer, before a card is asked for. */
function BillingStep(props: BillingStepProps) {
  const { pending, onIntent, onProceed, onBack, onCancel } = props;
  const { person, intent } = pending;
  const { t } = useTranslation(['translation', 'purchase']);
  const errorText = useErrorText();
  const priceText = usePriceText();
  const consent = useConsent();
  const [changed, setChanged] = useState(false);
  const free = intent.client_secret === null;
  const agree = useMutation({
    mutationFn: () =>
      createRegistrationIntent({
        email: person.email,
        username: person.username,
        language: currentLanguage(),
        consent_version: currentConsent(),
      }),
    onSuccess: (next) => {
      const same = next.amount === intent.amount && next.service_days === intent.service_days;
      setChanged(!same);
      if (same) onProceed(next);
      else onIntent(next);
    },
  });

  const leave = useMutation({ mutationFn: onCancel });

  function proceed() {
    if (free) onProceed(intent);
    else if (consent.isGiven()) agree.mutate();
  }

  const price = free ? t('landing.pricing_free') : priceText(intent.amount);
  const access = {
    label: t('payment.access'),
    value: t('payment.days', { count: intent.service_days }),
  };
  return (
    <>
      <h1>{t('registration.billing_title')}</h1>
      <h2>{t(free ? 'registration.billing_step_free' : 'registration.billing_step')}</h2>
      <p>{t(free ? 'registration.billing_text_free' : 'registration.billing_text')}</p>
      {changed && (
        <Alert data-color="warning" data-size="sm" role="alert">
          {t('purchase:payment.price_changed')}
        </Alert>
      )}
      <DefinitionList
        rows={[
          { label: t('fields.email'), value: person.email },
          { label: t('fields.username'), value: person.username },
          { label: t('payment.price'), value: price },
          ...(free ? [] : [access]),
        ]}
      />
      {!free && (
        <>
          <PurchaseTerms />
          <ConsentBox {...consent.box} />
        </>
      )}
      <FormAlert>
        {agree.error && t('payment.intent_failed', { message: errorText(agree.error) })}
      </FormAlert>
      <div className={styles.actions}>
        <BusyButton busy={agree.isPending} resting={leave.isPending} onClick={proceed}>
          {t(free ? 'registration.create_free' : 'payment.proceed')}
        </BusyButton>
        <Button variant="tertiary" disabled={agree.isPending || leave.isPending} onClick={onBack}>
          {t('purchase:payment.change_details')}
        </Button>
        <BusyButton
          variant="tertiary"
          busy={leave.isPending}
          resting={agree.isPending}
          onClick={() => leave.mutate()}
        >
          {t('actions.cancel')}
        </BusyButton>
      </div>
    </>
  );
}
