import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useHistorySteps } from '#lib/use-history-steps.ts';
import { loadPayment } from '../load-payment.ts';
import type { PendingRegistration, Person, RegistrationEnd } from '../pending-registration.ts';
import { RegistrationForm } from './registration-form.tsx';

const RegistrationPayment = lazy(loadPayment);

type RegistrationFlowProps = {
  /** Whether one has left the form, and what is around it would be in the way. */
  onUnderway?: (underway: boolean) => void;
};

/**
 * Form → billing → card → account made. Back goes one step back. The name and the address are in the
 * history; the password and the payment are in memory and nowhere else.
 */
export function RegistrationFlow({ onUnderway }: RegistrationFlowProps) {
  const { t } = useTranslation();
  const [pending, setPending] = useState<PendingRegistration>();
  const [person, setPerson] = useState<Person>();
  const [end, setEnd] = useState<RegistrationEnd>();
  const { step, typed, back, forward } = useHistorySteps(pending !== undefined);
  // What was paid or cancelled stays said, also after Back.
  const shown = pending && (end ?? (step === 'billing' || step === 'card' ? step : undefined));
  const underway = shown !== undefined;
  useEffect(() => onUnderway?.(underway), [underway, onUnderway]);

  if (!pending || !shown) {
    return (
      <RegistrationForm
        initial={person ?? typed}
        isResumed={person === undefined}
        onIntent={(registration) => {
          const { username, email } = registration.person;
          setPerson(registration.person);
          setPending(registration);
          void forward('billing', { username, email });
        }}
      />
    );
  }
  return (
    <Suspense fallback={<SkeletonLines label={t('app.loading')} lines={4} />}>
      <RegistrationPayment
        pending={pending}
        step={shown}
        onIntent={(intent) => setPending({ ...pending, intent })}
        onCard={() => {
          setEnd(undefined);
          if (step !== 'card') void forward('card');
        }}
        onEnd={setEnd}
        onBack={back}
        onStartAgain={() => {
          setEnd(undefined);
          setPending(undefined);
        }}
      />
    </Suspense>
  );
}
