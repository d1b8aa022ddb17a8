import { Button } from '@digdir/designsystemet-react';
import type { ConfirmRegistrationResponse } from '@proveklar/contract/payment.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { PaymentProblem } from '#components/card-payment/payment-problem.tsx';
import { problemOf } from '#components/card-payment/problem.ts';
import { SettlingPayment, useSettlement } from '#components/card-payment/settling.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { Form } from '#components/form.tsx';
import { PasswordField } from '#components/password-field.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { WaitingDays, waitingOf } from '#components/waiting-days.tsx';
import { currentLanguage } from '#i18n/i18n.ts';
import { mayPass } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { isTooShort, readFields } from '#lib/form-values.ts';
import { formatKroner } from '#lib/format.ts';
import { confirmRegistration, type PendingRegistration } from './api.ts';
import styles from './registration.module.css';

type RegistrationOutcomeProps = {
  pending: PendingRegistration;
  onOtherCard: () => void;
  onStartAgain: () => void;
};

/** The last step: the created account, the bank's processing, or a failure with a way on. */
export function RegistrationOutcome(props: RegistrationOutcomeProps) {
  const { pending, onOtherCard, onStartAgain } = props;
  const { t } = useTranslation();
  const { person, intent, code } = pending;
  const free = intent.client_secret === null;
  // Another password makes another request for the same payment.
  const [password, setPassword] = useState({ value: person.password, tries: 0 });
  const settlement = useSettlement({
    queryKey: ['registration', intent.payment_intent_id, code, password.tries],
    ask: () =>
      confirmRegistration({
        ...person,
        password: password.value,
        language: currentLanguage(),
        ...(intent.payment_intent_id ? { payment_intent_id: intent.payment_intent_id } : {}),
        ...(code ? { code } : {}),
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
          hasDays={!free || code !== undefined}
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

/** Shown when a free registration failed: retry, or change the form. */
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

type OtherPasswordProps = {
  /** Access is free, so the payment is not mentioned. */
  free: boolean;
  busy: boolean;
  onChosen: (password: string) => void;
};

/** Asks for another password after the identity provider refused it. Nothing is paid again. */
function OtherPassword({ free, busy, onChosen }: OtherPasswordProps) {
  const { t } = useTranslation(['translation', 'purchase']);
  const [faults, setFaults] = useState<{ password?: string }>({});

  function submit(form: HTMLFormElement) {
    const { password } = readFields(form, ['password']).values;
    const short = isTooShort(password);
    setFaults(short ? { password: t('registration.password_short') } : {});
    if (!short) onChosen(password);
  }

  return (
    <Form
      busy={busy}
      faults={faults}
      submit={t('purchase:payment.problem.password_save')}
      onSubmit={submit}
    >
      <FormAlert>
        <h2>{t('purchase:payment.problem.password_title')}</h2>
        <p>
          {t(
            free
              ? 'purchase:payment.problem.password_text_free'
              : 'purchase:payment.problem.password_text',
          )}
        </p>
      </FormAlert>
      <PasswordField
        autoComplete="new-password"
        description={t('fields.password_hint')}
        error={faults.password}
      />
    </Form>
  );
}

type RegistrationSuccessProps = {
  email: string;
  result: ConfirmRegistrationResponse;
  /** In øre; null if nothing was paid. */
  paid: number | null;
  /** By the payment, or by a code; false while the service is free. */
  hasDays: boolean;
};

function RegistrationSuccess({ email, result, paid, hasDays }: RegistrationSuccessProps) {
  const { t, i18n } = useTranslation(['translation', 'purchase']);
  const navigate = useNavigate();
  const mailed = result.password_mailed;
  const existed = result.account_existed && !mailed;
  const count = result.days_remaining;
  const waiting = waitingOf(result);
  const text = existed ? 'purchase:registered.existed_text' : 'purchase:registered.success_text';

  function goToLogin(mode?: 'reset') {
    void navigate({ to: '/login', search: mode ? { mode } : {}, state: { email } });
  }

  function waitingText() {
    if (mailed) return 'purchase:registered.waiting_text_mailed';
    return existed
      ? 'purchase:registered.waiting_text_existed'
      : 'purchase:registered.waiting_text';
  }

  function readyText() {
    if (mailed) return t('purchase:registered.mailed_text', { count });
    return hasDays ? t(text, { count }) : t('purchase:registered.success_text_free');
  }

  return (
    <AppDialog
      open
      closable={false}
      title={t(existed ? 'purchase:registered.existed_title' : 'registration.success_title')}
      onClose={() => goToLogin()}
    >
      <Party />
      {paid !== null && (
        <p>
          {t('purchase:payment.paid_receipt', {
            amount: formatKroner(paid / 100, i18n.language),
            email,
          })}
        </p>
      )}
      <WaitingDays waiting={waiting} />
      <p>{waiting.length > 0 ? t(waitingText()) : readyText()}</p>
      <DialogActions>
        <Button onClick={() => goToLogin()}>{t('registration.to_login')}</Button>
        {existed && (
          <Button variant="secondary" onClick={() => goToLogin('reset')}>
            {t('purchase:registered.to_reset')}
          </Button>
        )}
      </DialogActions>
    </AppDialog>
  );
}

/** A small celebration. */
function Party() {
  return (
    <svg className={styles.party} viewBox="0 0 240 96" aria-hidden="true">
      <circle cx="120" cy="50" r="34" fill="#1f8a4c" />
      <path d="m104 51 11 11 22-24" stroke="#fff" strokeWidth="7" fill="none" />
      <circle cx="62" cy="26" r="6" fill="#f0a13c" />
      <circle cx="184" cy="64" r="5" fill="#4d90b4" />
      <circle cx="174" cy="20" r="4" fill="#c2452d" />
      <path d="m196 26 3 7 7 1-5 5 1 8-6-4-7 4 1-8-5-5 7-1Z" fill="#f0a13c" />
      <path d="m40 54 3 7 7 1-5 5 1 8-6-4-7 4 1-8-5-5 7-1Z" fill="#c2452d" />
      <path d="M60 84q8-8 14 0t14 0" stroke="#4d90b4" strokeWidth="4" fill="none" />
      <path d="M154 88q8-8 14 0t14 0" stroke="#f0a13c" strokeWidth="4" fill="none" />
      <path d="M82 12l8 10M152 8l-4 11" stroke="#c2452d" strokeWidth="4" />
    </svg>
  );
}
