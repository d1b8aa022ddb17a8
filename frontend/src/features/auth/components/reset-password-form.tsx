import { Alert, Button, Textfield } from '@digdir/designsystemet-react';
import { Link } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '#components/form-alert.tsx';
import { readFields } from '#lib/read-fields.ts';
import { identity } from '#lib/session.ts';
import { authErrorText } from '../auth-error.ts';
import styles from './sign-in-form.module.css';

export function ResetPasswordForm({ email = '' }: { email?: string }) {
  const { t } = useTranslation();
  const [message, setMessage] = useState('');
  const [sentTo, setSentTo] = useState('');
  const [busy, setBusy] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { values, missing } = readFields(event.currentTarget, ['email']);
    setMessage(missing.length > 0 ? t('fields.fill_in_all') : '');
    if (missing.length > 0) return;
    setBusy(true);
    try {
      await (await identity()).sendPasswordReset(values.email);
      setSentTo(values.email);
    } catch (error) {
      const text = authErrorText(error);
      // Whether an address has an account is nobody else's business: it looks the same.
      if (text === 'user_not_found') setSentTo(values.email);
      else setMessage(t('auth.failed_reset', { message: t(`auth.error.${text}`) }));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      {sentTo ? (
        <Alert data-color="success" role="status">
          <h2>{t('auth.reset_sent_title')}</h2>
          <p>{t('auth.reset_sent_text', { email: sentTo })}</p>
        </Alert>
      ) : (
        <form noValidate onSubmit={(event) => void submit(event)}>
          <p>{t('auth.reset_text')}</p>
          <Textfield
            label={t('fields.email')}
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={email}
          />
          <FormAlert>{message}</FormAlert>
          <Button type="submit" loading={busy} disabled={busy}>
            {t('auth.reset_send')}
          </Button>
        </form>
      )}
      <Link
        to="."
        search={(previous) => ({ ...previous, mode: undefined })}
        className={`ds-link ${styles.forgot}`}
      >
        {t('auth.reset_back')}
      </Link>
    </>
  );
}
