import { Button } from '@digdir/designsystemet-react';
import type { IntentResponse } from '@proveklar/contract/payment.ts';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { cancelPayment } from '#components/card-payment/cancel-payment.ts';
import { LazyCardPayment } from '#components/card-payment/lazy-card-payment.tsx';
import { useHeadingFocus } from '#lib/use-heading-focus.ts';
import type { PendingRegistration, RegistrationEnd } from '../pending-registration.ts';
import { BillingStep } from './billing-step.tsx';
import { RegistrationOutcome } from './registration-outcome.tsx';

type RegistrationPaymentProps = {
  pending: PendingRegistration;
  step: 'billing' | 'card' | RegistrationEnd;
  /** What is bought, after another look at it. */
  onIntent: (intent: IntentResponse) => void;
  onCard: () => void;
  onEnd: (end: RegistrationEnd) => void;
  /** One step back, as the browser's own Back; the payment stays open. */
  onBack: () => void;
  /** To the form, with what was typed. */
  onStartAgain: () => void;
};

/** What follows the form: a look at the purchase, the card, and what becomes of both. */
export default function RegistrationPayment(props: RegistrationPaymentProps) {
  const { pending, step, onIntent, onCard, onEnd, onBack, onStartAgain } = props;
  const { intent } = pending;
  const { t } = useTranslation();
  useHeadingFocus(step);

  async function cancel() {
    const nothingToCancel = intent.client_secret === null;
    // Paid in another tab, perhaps: then it goes on.
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
        onCancel={() => void cancel()}
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
        <LazyCardPayment
          clientSecret={intent.client_secret}
          amount={intent.amount}
          serviceDays={intent.service_days}
          onDone={() => onEnd('outcome')}
          onBack={onBack}
          onCancel={() => void cancel()}
        />
      </>
    );
  }
  return <RegistrationOutcome pending={pending} onOtherCard={onCard} onStartAgain={onStartAgain} />;
}

type RegistrationCancelledProps = {
  /** Whether the server has said so. */
  known: boolean;
  onStartAgain: () => void;
};

/** Left for good. To begin again is safe also where it is not known whether that came through. */
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
