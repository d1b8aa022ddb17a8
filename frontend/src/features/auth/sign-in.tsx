import { Alert, Textfield } from '@digdir/designsystemet-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { Form, FormEnd, useFormError } from '#components/form.tsx';
import { PasswordField } from '#components/password-field.tsx';
import { currentLanguage } from '#i18n/i18n.ts';
import { ApiError } from '#lib/api-error.ts';
import { pendingEmail } from '#lib/email-change.ts';
import { useErrorText } from '#lib/error-text.ts';
import { readFields } from '#lib/form-values.ts';
import { getSession, identity } from '#lib/session.ts';
import { useHydrated } from '#lib/use-hydrated.ts';
import { forgotPassword } from './api.ts';
import { authErrorText } from './auth-error.ts';
import styles from './auth.module.css';
import { GoogleButton } from './google-button.tsx';

/** The sign-in form; the page around it reacts to the new session. */
export function SignInForm() {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  // The address is shared with the registration and reset forms, so that it is typed once.
  const known = useRouterState({ select: (state) => state.location.state.email });
  const [email, setEmail] = useState(known ?? '');
  const field = useRef<HTMLInputElement>(null);
  // The value typed, or filled in by the browser, before this code was loaded.
  useLayoutEffect(() => setEmail(field.current?.value ?? ''), []);
  const [said, say] = useFormError();
  const [missing, setMissing] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  // A change of the address has ended the session.
  const changedTo = hydrated ? pendingEmail() : null;

  async function submit(form: HTMLFormElement) {
    const fields = readFields(form, ['email', 'password']);
    setMissing(fields.missing);
    say(fields.missing.length > 0 ? t('fields.fill_in_all') : '');
    if (fields.missing.length > 0) return;
    setBusy(true);
    try {
      const { signIn } = await identity();
      // By now the page knows that there is a session already, and continues.
      if (getSession().status === 'signed-in') return;
      await signIn(fields.values.email, fields.values.password);
    } catch (error) {
      const reason = authErrorText(error);
      say(
        reason === 'unknown'
          ? t('auth.failed_log_in')
          : t('auth.failed_sign_in', { message: t(`auth.error.${reason}`) }),
      );
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      {changedTo !== null && (
        <Alert data-color="info" data-size="sm" role="status">
          <p>{t('auth.email_changed', { email: changedTo })}</p>
        </Alert>
      )}
      <Form busy={busy} resting={!hydrated} onSubmit={(form) => void submit(form)}>
        <Textfield
          ref={field}
          label={t('fields.email')}
          name="email"
          type="email"
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          aria-invalid={missing.includes('email') || undefined}
        />
        <PasswordField autoComplete="current-password" invalid={missing.includes('password')} />
        <FormEnd
          submit={t('auth.sign_in')}
          busy={busy}
          resting={!hydrated}
          {...said}
          // A submit by the browser would put the password into the URL.
          button={{ type: hydrated ? 'submit' : 'button', className: styles.wide }}
        />
        <Link
          to="."
          search={(previous) => ({ ...previous, mode: 'reset' })}
          state={{ email }}
          className={`ds-link ${styles.forgot}`}
        >
          {t('auth.forgot')}
        </Link>
      </Form>
      <p className={styles.or}>{t('auth.or')}</p>
      <GoogleButton onError={say} />
      <Link to="/betalt" state={{ email }} className={`ds-link ${styles.forgot}`}>
        {t('auth.paid')}
      </Link>
    </>
  );
}

type GoogleInsteadProps = {
  /** Whether access costs money. */
  isPaid: boolean;
};

/** Google in place of a password, below the form that creates an account. */
export function GoogleInstead({ isPaid }: GoogleInsteadProps) {
  const { t } = useTranslation();
  const [message, setMessage] = useState('');
  return (
    <>
      <p className={styles.or}>{t('auth.or')}</p>
      <FormAlert>{message}</FormAlert>
      <GoogleButton onError={setMessage} />
      <p className="muted">{t(isPaid ? 'auth.google_instead' : 'auth.google_instead_free')}</p>
    </>
  );
}

export function ResetPasswordForm() {
  const { t } = useTranslation();
  const typed = useRouterState({ select: (state) => state.location.state.email });
  const { sentTo, said, busy, send } = useResetLink();

  return (
    <>
      {sentTo ? (
        <ResetLinkSent email={sentTo} busy={busy} onSendAgain={() => send(sentTo)} />
      ) : (
        <Form
          busy={busy}
          {...said}
          submit={t('auth.reset_send')}
          onSubmit={(form) => void send(readFields(form, ['email']).values.email)}
        >
          <p>{t('auth.reset_text')}</p>
          <Textfield
            label={t('fields.email')}
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={typed}
            aria-invalid={Boolean(said.error) || undefined}
          />
        </Form>
      )}
      {sentTo && <FormAlert>{said.error}</FormAlert>}
      <Link
        to="."
        search={(previous) => ({ ...previous, mode: undefined })}
        state={sentTo ? { email: sentTo } : true}
        className={`ds-link ${styles.forgot}`}
      >
        {t('auth.reset_back')}
      </Link>
    </>
  );
}

/** Sends the link for a new password, with the state of the request. */
function useResetLink() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [said, say] = useFormError();
  const [sentTo, setSentTo] = useState('');
  const [busy, setBusy] = useState(false);

  /** @returns whether it was sent */
  async function send(email: string): Promise<boolean> {
    say(email ? '' : t('fields.fill_in_all'));
    if (!email) return false;
    setBusy(true);
    try {
      await forgotPassword({ email, language: currentLanguage() });
      setSentTo(email);
      return true;
    } catch (error) {
      const isInvalid = error instanceof ApiError && error.code === 'validation_failed';
      const text = isInvalid ? t('auth.error.invalid_email') : errorText(error);
      say(t('auth.failed_reset', { message: text }));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { sentTo, said, busy, send };
}

type ResetLinkSentProps = { email: string; busy: boolean; onSendAgain: () => Promise<boolean> };

/** A mail takes a moment, so the button is disabled for a while before it can be sent again. */
const RESEND_DELAY_MS = 10_000;

function ResetLinkSent({ email, busy, onSendAgain }: ResetLinkSentProps) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  // The focused form has disappeared; focusing the heading makes a screen reader read the message.
  useEffect(() => heading.current?.focus(), []);
  const [sentAgain, setSentAgain] = useState(false);
  const [resting, setResting] = useState(false);
  useEffect(() => {
    if (!resting) return undefined;
    const timer = setTimeout(() => setResting(false), RESEND_DELAY_MS);
    return () => clearTimeout(timer);
  }, [resting]);

  async function sendAgain() {
    setSentAgain(false);
    if (!(await onSendAgain())) return;
    setSentAgain(true);
    setResting(true);
  }

  return (
    <>
      <Alert data-color="success">
        <h2 ref={heading} tabIndex={-1} className={styles.title}>
          {t('auth.reset_sent_title')}
        </h2>
        <p className={styles.text}>{t('auth.reset_sent_text', { email })}</p>
      </Alert>
      <div className={styles.again}>
        <p>{t('auth.reset_again')}</p>
        <BusyButton
          variant="secondary"
          busy={busy}
          resting={resting}
          onClick={() => void sendAgain()}
        >
          {t('auth.reset_resend')}
        </BusyButton>
        <p role="status">{sentAgain && t('auth.reset_sent_again')}</p>
      </div>
    </>
  );
}
