import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { loadPayment } from '../load-payment.ts';
import type { PendingRegistration, Person } from '../pending-registration.ts';
import { RegistrationForm } from './registration-form.tsx';

const RegistrationPayment = lazy(loadPayment);

type RegistrationFlowProps = {
  /** Whether one has left the form, and what is around it would be in the way. */
  onUnderway?: (underway: boolean) => void;
};

/** Form → billing → card → account made. Everything typed stays in memory and nowhere else. */
export function RegistrationFlow({ onUnderway }: RegistrationFlowProps) {
  const { t } = useTranslation();
  const [pending, setPending] = useState<PendingRegistration>();
  const [typed, setTyped] = useState<Person>();

  if (!pending) {
    return (
      <RegistrationForm
        initial={typed}
        onIntent={(registration) => {
          setPending(registration);
          onUnderway?.(true);
        }}
      />
    );
  }
  return (
    <Suspense fallback={<SkeletonLines label={t('app.loading')} lines={4} />}>
      <RegistrationPayment
        begun={pending}
        onBack={() => {
          setTyped(pending.person);
          setPending(undefined);
          onUnderway?.(false);
        }}
      />
    </Suspense>
  );
}
