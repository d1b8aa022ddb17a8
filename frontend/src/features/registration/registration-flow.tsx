import { Textfield } from '@digdir/designsystemet-react';
import { MAX_NAME_LENGTH } from '@proveklar/contract/limits.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, FormEnd } from '#components/form.tsx';
import { lazyPart } from '#components/lazy-part.tsx';
import { PasswordField } from '#components/password-field.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { currentLanguage, loadTexts } from '#i18n/i18n.ts';
import { ApiError } from '#lib/api-error.ts';
import { configQuery } from '#lib/config.ts';
import { useErrorText } from '#lib/error-text.ts';
import { isEmail, isTooShort, readFields } from '#lib/form-values.ts';
import { formatKroner } from '#lib/format.ts';
import { forgetPaying, hasUnfinishedPayment } from '#lib/payment-keys.ts';
import { type TypedPerson, useHistorySteps } from '#lib/use-history-steps.ts';
import { meantAddress } from './meant-address.ts';
import styles from './registration.module.css';
import {
  createRegistrationIntent,
  NOTHING_TO_PAY,
  type PendingRegistration,
  type Person,
  type RegistrationEnd,
} from './api.ts';

// The form waits for it before it continues, and says so if it could not be loaded.
const RegistrationPayment = lazy(loadPayment);

/** Loads the code and texts of the steps after the form on demand. */
async function loadPayment() {
  const [module] = await Promise.all([import('./registration-payment.tsx'), loadTexts('purchase')]);
  return module;
}

type RegistrationFlowProps = {
  /** Called when the form is left, so that the page can hide what is around it. */
  onUnderway?: (underway: boolean) => void;
};

/**
 * The steps form, billing, card and account. Back goes one step back. Name and address are in the browser's
 * history; the password and the payment are only in memory.
 */
export function RegistrationFlow({ onUnderway }: RegistrationFlowProps) {
  const { t } = useTranslation();
  const [pending, setPending] = useState<PendingRegistration>();
  /** What was typed last, for a start again. */
  const [last, setLast] = useState<PendingRegistration>();
  const [end, setEnd] = useState<RegistrationEnd>();
  const { step, typed, back, forward } = useHistorySteps(pending !== undefined);
  // The outcome stays shown, also after Back.
  const shown = pending && (end ?? (step === 'billing' || step === 'card' ? step : undefined));
  const underway = shown !== undefined;
  useEffect(() => onUnderway?.(underway), [underway, onUnderway]);

  if (!pending || !shown) {
    return (
      <RegistrationForm
        initial={last?.person ?? typed}
        initialCode={last?.code}
        isResumed={last === undefined}
        onIntent={(registration) => {
          const { username, email } = registration.person;
          // A code leaves nothing to look over or to pay.
          if (registration.code) setEnd('outcome');
          setLast(registration);
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

/** Specified: the delay before the billing step. */
const BILLING_DELAY_MS = 300;

const UnfinishedPayment = lazyPart(async () => {
  await loadPayment();
  return (await import('./unfinished-payment.tsx')).UnfinishedPayment;
});

const FIELDS = ['username', 'email', 'password'] as const;
/** The errors of the fields. */
type Faults = Partial<Record<(typeof FIELDS)[number] | 'code', string>>;

type RegistrationFormProps = {
  initial?: TypedPerson | undefined;
  /** The code that was typed; it gets the focus, because it may have been wrong. */
  initialCode: string | undefined;
  /** Set after a reload or a visit elsewhere, when the started payment is no longer in memory. */
  isResumed: boolean;
  onIntent: (registration: PendingRegistration) => void;
};

function RegistrationForm(props: RegistrationFormProps) {
  const { initial, initialCode, isResumed, onIntent } = props;
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const { data: config } = useQuery(configQuery);
  const [message, setMessage] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [busy, setBusy] = useState(false);
  // After a reload the password is gone, because it is only in memory, but the payment is not.
  const [unfinished, setUnfinished] = useState(() => isResumed && hasUnfinishedPayment());
  const [meant, setMeant] = useState<string>();
  const [hasCode, setHasCode] = useState(initialCode !== undefined);

  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (hasCode) form.current?.querySelector<HTMLInputElement>('[name=code]')?.focus();
  }, [hasCode]);

  function faultsOf(values: Person, missing: string[]): Faults {
    const found: Faults = {};
    for (const name of FIELDS) if (missing.includes(name)) found[name] = t('fields.missing');
    if (!isEmail(values.email)) found.email ??= t('fields.email_invalid');
    if (isTooShort(values.password)) found.password ??= t('registration.password_short');
    return found;
  }

  function correctEmail(address: string) {
    const field = form.current?.elements.namedItem('email');
    if (!(field instanceof HTMLInputElement)) return;
    field.value = address;
    setMeant(undefined);
    // The pressed button has disappeared.
    field.focus();
  }

  function dismissUnfinished() {
    forgetPaying();
    setUnfinished(false);
    // The focused element has disappeared.
    form.current?.querySelector('input')?.focus();
  }

  async function submit(sent: HTMLFormElement) {
    const fields = readFields(sent, FIELDS);
    const found = faultsOf(fields.values, fields.missing);
    const { code } = readFields(sent, ['code']).values;
    if (hasCode && !code) found.code = t('registration.code_missing');
    setFaults(found);
    setMessage(fields.missing.length > 0 ? t('fields.fill_in_all') : '');
    if (Object.keys(found).length > 0) return;
    const { email, username, password } = fields.values;
    const language = currentLanguage();
    setBusy(true);
    try {
      if (hasCode) {
        await loadPayment();
        onIntent({ person: fields.values, intent: NOTHING_TO_PAY, code });
        return;
      }
      const [intent] = await Promise.all([
        createRegistrationIntent({ email, username, password, language }),
        loadPayment(),
      ]);
      await new Promise((resolve) => setTimeout(resolve, BILLING_DELAY_MS));
      onIntent({ person: fields.values, intent });
    } catch (error) {
      const isPassword = error instanceof ApiError && error.code === 'password_refused';
      // The reason is shown at the field.
      const message = isPassword ? t('registration.password_other') : errorText(error);
      setMessage(t('registration.failed', { message }));
      const refused = FIELDS.find(
        (name) => error instanceof ApiError && error.details.field === name,
      );
      if (isPassword) setFaults({ password: errorText(error) });
      else if (refused === 'email') setFaults({ email: t('error.code.email_refused') });
      else if (refused) setFaults({ [refused]: errorText(error) });
      setBusy(false);
    }
  }

  return (
    <Form ref={form} busy={busy} faults={faults} onSubmit={(sent) => void submit(sent)}>
      {unfinished && <UnfinishedPayment onDismiss={dismissUnfinished} />}
      <Textfield
        label={t('fields.username')}
        name="username"
        autoComplete="name"
        maxLength={MAX_NAME_LENGTH}
        defaultValue={initial?.username}
        error={faults.username}
      />
      <Textfield
        label={t('fields.email')}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={initial?.email}
        error={faults.email}
        onBlur={({ currentTarget, relatedTarget }) => {
          // Not on the way to a button, which the suggestion would push away from under the pointer.
          if (relatedTarget instanceof HTMLInputElement)
            setMeant(meantAddress(currentTarget.value));
        }}
      />
      {/* Always there, so that it is announced when it is filled. */}
      <p role="status" className={styles.meant}>
        {meant && (
          <>
            {t('registration.email_meant')}{' '}
            <button type="button" className="ds-link" onClick={() => correctEmail(meant)}>
              {meant}
            </button>
            ?
          </>
        )}
      </p>
      <PasswordField
        autoComplete="new-password"
        description={t('fields.password_hint')}
        error={faults.password}
      />
      {hasCode && (
        <Textfield
          label={t('registration.code')}
          description={t('registration.code_hint')}
          name="code"
          defaultValue={initialCode}
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          error={faults.code}
        />
      )}
      <p>
        <button type="button" className="ds-link" onClick={() => setHasCode(!hasCode)}>
          {t(hasCode ? 'registration.code_none' : 'registration.code_question')}
        </button>
      </p>
      <FormEnd
        submit={t(hasCode ? 'registration.submit_code' : 'registration.submit')}
        busy={busy}
        error={message}
      />
      {!hasCode && config !== undefined && config.price > 0 && (
        <p className="muted">
          {t('registration.submit_hint', { price: formatKroner(config.price, i18n.language) })}
        </p>
      )}
    </Form>
  );
}
