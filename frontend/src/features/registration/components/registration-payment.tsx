import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cancelPayment } from '#components/card-payment/cancel-payment.ts';
import { LazyCardPayment } from '#components/card-payment/lazy-card-payment.tsx';
import { useHeadingFocus } from '#lib/use-heading-focus.ts';
import type { PendingRegistration } from '../pending-registration.ts';
import { BillingStep } from './billing-step.tsx';
import { RegistrationCancelled } from './registration-cancelled.tsx';
import { RegistrationOutcome } from './registration-outcome.tsx';

type Step = 'billing' | 'card' | 'outcome' | 'cancelled' | 'cancel_unknown';

type RegistrationPaymentProps = {
  begun: PendingRegistration;
  /** To the form, with what was typed; the payment stays open. */
  onBack: () => void;
};

/** What follows the form: a look at the purchase, the card, and what becomes of both. */
export default function RegistrationPayment({ begun, onBack }: RegistrationPaymentProps) {
  const { t } = useTranslation();
  const [step, setStep] = useState<Step>('billing');
  const [{ person, intent }, setPending] = useState(begun);
  useHeadingFocus(step);

  async function cancel() {
    const nothingToCancel = intent.client_secret === null;
    // Paid in another tab, perhaps: then it goes on.
    const done = nothingToCancel ? 'cancelled' : await cancelPayment(intent);
    if (done === 'completed') setStep('outcome');
    else setStep(done === 'unknown' ? 'cancel_unknown' : 'cancelled');
  }

  if (step === 'billing') {
    return (
      <BillingStep
        pending={{ person, intent }}
        onIntent={(next) => setPending({ person, intent: next })}
        onProceed={(next) => {
          setPending({ person, intent: next });
          setStep(next.client_secret === null ? 'outcome' : 'card');
        }}
        onBack={onBack}
        onCancel={() => void cancel()}
      />
    );
  }
  if (step === 'cancelled' || step === 'cancel_unknown') {
    return <RegistrationCancelled known={step === 'cancelled'} onStartAgain={onBack} />;
  }
  if (step === 'card' && intent.client_secret !== null) {
    return (
      <>
        <h1>{t('payment.title')}</h1>
        <LazyCardPayment
          clientSecret={intent.client_secret}
          amount={intent.amount}
          serviceDays={intent.service_days}
          onDone={() => setStep('outcome')}
          onBack={() => setStep('billing')}
          onCancel={() => void cancel()}
        />
      </>
    );
  }
  return (
    <RegistrationOutcome
      pending={{ person, intent }}
      onOtherCard={() => setStep('card')}
      onStartAgain={onBack}
    />
  );
}
