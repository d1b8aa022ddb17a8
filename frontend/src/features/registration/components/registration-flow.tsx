import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyCardPayment } from '#components/card-payment/lazy-card-payment.tsx';
import { SettlingPayment } from '#components/card-payment/settling-payment.tsx';
import { languageTag } from '#i18n/language.ts';
import { focusHeading } from '#lib/focus-heading.ts';
import { createIdempotencyKeys } from '#lib/idempotency-key.ts';
import { confirmRegistration } from '../api/confirm-registration.ts';
import type { PendingRegistration } from '../pending-registration.ts';
import { BillingStep } from './billing-step.tsx';
import { RegistrationForm } from './registration-form.tsx';
import { RegistrationSuccess } from './registration-success.tsx';

type Step = 'form' | 'billing' | 'card' | 'confirm';

/** Form → billing → card → account made. Everything typed stays in memory and nowhere else. */
export function RegistrationFlow({ onStep }: { onStep?: (step: Step) => void }) {
  const { t, i18n } = useTranslation();
  const [step, setStep] = useState<Step>('form');
  const [keyOf] = useState(createIdempotencyKeys);
  const [pending, setPending] = useState<PendingRegistration>();
  const confirm = useMutation({ mutationFn: confirmRegistration });

  function go(to: Step) {
    setStep(to);
    onStep?.(to);
  }

  // A new step is a new page to those who hear it; the first one is announced by the navigation.
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) focusHeading();
    shown.current = step;
  }, [step]);

  if (!pending || step === 'form') {
    return (
      <RegistrationForm
        initial={pending?.person}
        keyOf={keyOf}
        onIntent={(registration) => {
          setPending(registration);
          go('billing');
        }}
      />
    );
  }

  const { person, intent } = pending;
  function makeAccount(paymentIntentId?: string) {
    go('confirm');
    confirm.mutate({
      ...person,
      language: languageTag(i18n.language) === 'en' ? 'en' : 'no',
      ...(paymentIntentId ? { payment_intent_id: paymentIntentId } : {}),
    });
  }

  if (step === 'billing') {
    return (
      <BillingStep
        pending={pending}
        onProceed={() => (intent.client_secret === null ? makeAccount() : go('card'))}
        onCancel={() => go('form')}
      />
    );
  }
  if (step === 'card' && intent.client_secret !== null) {
    return (
      <>
        <h1>{t('payment.title')}</h1>
        <LazyCardPayment
          clientSecret={intent.client_secret}
          amount={intent.amount}
          serviceDays={intent.service_days}
          onPaid={makeAccount}
          onCancel={() => go('billing')}
        />
      </>
    );
  }
  return (
    <>
      <h1>{t('auth.create_account')}</h1>
      <SettlingPayment
        paid={intent.client_secret !== null}
        error={confirm.error}
        busy={confirm.isPending}
        // The variables still hold the payment: it is confirmed again, never paid again.
        onRetry={() => confirm.variables && confirm.mutate(confirm.variables)}
      />
      {confirm.data && (
        <RegistrationSuccess
          email={person.email}
          result={confirm.data}
          free={intent.client_secret === null}
        />
      )}
    </>
  );
}
