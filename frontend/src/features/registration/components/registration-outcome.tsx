import { Button } from '@digdir/designsystemet-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PaymentProblem } from '#components/card-payment/payment-problem.tsx';
import { problemOf } from '#components/card-payment/problem.ts';
import { SettlingPayment } from '#components/card-payment/settling-payment.tsx';
import { useSettlement } from '#components/card-payment/use-settlement.ts';
import { RetryAlert } from '#components/retry-alert.tsx';
import { currentLanguage } from '#i18n/i18n.ts';
import { mayPass } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { confirmRegistration } from '../api.ts';
import type { PendingRegistration } from '../pending-registration.ts';
import { OtherPassword } from './other-password.tsx';
import { RegistrationSuccess } from './registration-success.tsx';

type RegistrationOutcomeProps = {
  pending: PendingRegistration;
  onOtherCard: () => void;
  onStartAgain: () => void;
};

/** The last step: the account is made, the bank is not done, or there is a way on from what failed. */
export function RegistrationOutcome(props: RegistrationOutcomeProps) {
  const { pending, onOtherCard, onStartAgain } = props;
  const { t } = useTranslation();
  const { person, intent } = pending;
  const free = intent.client_secret === null;
  // Another password is another question; the payment is the same.
  const [password, setPassword] = useState({ value: person.password, tries: 0 });
  const settlement = useSettlement({
    queryKey: ['registration', intent.payment_intent_id, password.tries],
    ask: () =>
      confirmRegistration({
        ...person,
        password: password.value,
        language: currentLanguage(),
        ...(intent.payment_intent_id ? { payment_intent_id: intent.payment_intent_id } : {}),
      }),
    enabled: true,
  });
  const { result, waiting, error, busy, retry } = settlement;
  const problem = error && problemOf(error);

  return (
    <>
      <h1>{t('auth.create_account')}</h1>
      {problem === 'password' && (
        <OtherPassword
          free={free}
          busy={busy}
          onChosen={(value) => setPassword(({ tries }) => ({ value, tries: tries + 1 }))}
        />
      )}
      {problem && problem !== 'password' && free && (
        <FreeRegistrationProblem error={error} busy={busy} onRetry={retry} onBack={onStartAgain} />
      )}
      {problem && problem !== 'password' && !free && (
        <PaymentProblem
          key={problem}
          problem={problem}
          error={error}
          busy={busy}
          email={person.email}
          onRetry={retry}
          onOtherCard={onOtherCard}
          onStartAgain={onStartAgain}
        />
      )}
      {!result && !error && <SettlingPayment paid={!free} waiting={waiting} />}
      {result && (
        <RegistrationSuccess
          email={person.email}
          result={result}
          paid={free ? null : intent.amount}
        />
      )}
    </>
  );
}

type FreeRegistrationProblemProps = {
  error: unknown;
  busy: boolean;
  onRetry: () => void;
  onBack: () => void;
};

/** Nothing was paid, so what failed is only the account: again, or with something else in the form. */
function FreeRegistrationProblem(props: FreeRegistrationProblemProps) {
  const { error, busy, onRetry, onBack } = props;
  const { t } = useTranslation(['translation', 'purchase']);
  const errorText = useErrorText();
  return (
    <>
      <RetryAlert busy={busy} onRetry={mayPass(error) ? onRetry : undefined}>
        {t('registration.failed', { message: errorText(error) })}
      </RetryAlert>
      <Button variant="secondary" onClick={onBack}>
        {t('purchase:payment.change_details')}
      </Button>
    </>
  );
}
