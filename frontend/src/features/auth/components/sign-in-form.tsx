import { Textfield } from '@digdir/designsystemet-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { type SubmitEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { PasswordField } from '#components/password-field.tsx';
import { readFields } from '#lib/read-fields.ts';
import { getSession, identity } from '#lib/session.ts';
import { useHydrated } from '#lib/use-hydrated.ts';
import { authErrorText } from '../auth-error.ts';
import { GoogleButton } from './google-button.tsx';
import styles from './sign-in-form.module.css';

/** Signs in; the page around it sees the session change and goes on from there. */
export function SignInForm() {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  // From the registration or the reset form, and on to the latter: nobody types it twice.
  const known = useRouterState({ select: (state) => state.location.state.email });
  const [email, setEmail] = useState(known ?? '');
  const field = useRef<HTMLInputElement>(null);
  // What was typed, or filled in by the browser, before this code was there.
  useLayoutEffect(() => setEmail(field.current?.value ?? ''), []);
  const [message, setMessage] = useState('');
  const [missing, setMissing] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = readFields(event.currentTarget, ['email', 'password']);
    setMissing(fields.missing);
    setMessage(fields.missing.length > 0 ? t('fields.fill_in_all') : '');
    if (fields.missing.length > 0) return;
    setBusy(true);
    try {
      const { signIn } = await identity();
      // It took a while, and now the page knows that somebody is in already: it goes on by itself.
      if (getSession().status === 'signed-in') return;
      await signIn(fields.values.email, fields.values.password);
    } catch (error) {
      const reason = authErrorText(error);
      setMessage(
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
      <form noValidate onSubmit={(event) => void submit(event)}>
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
        <FormAlert>{message}</FormAlert>
        {/* Sent by the browser itself, the password would stand in the address. */}
        <BusyButton
          type={hydrated ? 'submit' : 'button'}
          className={styles.submit}
          busy={busy}
          resting={!hydrated}
        >
          {t('auth.sign_in')}
        </BusyButton>
        <Link
          to="."
          search={(previous) => ({ ...previous, mode: 'reset' })}
          state={{ email }}
          className={`ds-link ${styles.forgot}`}
        >
          {t('auth.forgot')}
        </Link>
      </form>
      <p className={styles.or}>{t('auth.or')}</p>
      <GoogleButton onError={setMessage} />
      <Link to="/betalt" state={{ email }} className={`ds-link ${styles.forgot}`}>
        {t('auth.paid')}
      </Link>
    </>
  );
}
