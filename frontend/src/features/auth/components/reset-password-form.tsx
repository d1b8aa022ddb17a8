import { Textfield } from '@digdir/designsystemet-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { authErrorText } from '#features/auth/auth-error.ts';
import { currentLanguage } from '#i18n/i18n.ts';
import { readFields } from '#lib/read-fields.ts';
import { identity } from '#lib/session.ts';
import { ResetLinkSent } from './reset-link-sent.tsx';
import styles from './sign-in-form.module.css';

export function ResetPasswordForm() {
  const { t } = useTranslation();
  const typed = useRouterState({ select: (state) => state.location.state.email });
  const { sentTo, message, busy, send } = useResetLink();

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    void send(readFields(event.currentTarget, ['email']).values.email);
  }

  return (
    <>
      {sentTo ? (
        <ResetLinkSent email={sentTo} busy={busy} onSendAgain={() => send(sentTo)} />
      ) : (
        <form noValidate onSubmit={submit}>
          <p>{t('auth.reset_text')}</p>
          <Textfield
            label={t('fields.email')}
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={typed}
            aria-invalid={Boolean(message) || undefined}
          />
          <FormAlert>{message}</FormAlert>
          <BusyButton type="submit" busy={busy}>
            {t('auth.reset_send')}
          </BusyButton>
        </form>
      )}
      {sentTo && <FormAlert>{message}</FormAlert>}
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

/** Sends the link for a new password, and says to whom it went or why it did not. */
function useResetLink() {
  const { t } = useTranslation();
  const [message, setMessage] = useState('');
  const [sentTo, setSentTo] = useState('');
  const [busy, setBusy] = useState(false);

  /** @returns whether it was sent */
  async function send(email: string): Promise<boolean> {
    setMessage(email ? '' : t('fields.fill_in_all'));
    if (!email) return false;
    setBusy(true);
    try {
      await (await identity()).sendPasswordReset(email, currentLanguage());
      setSentTo(email);
      return true;
    } catch (error) {
      const text = authErrorText(error);
      // Whether an address has an account is nobody else's business: it looks the same.
      if (text === 'user_not_found') {
        setSentTo(email);
        return true;
      }
      setMessage(t('auth.failed_reset', { message: t(`auth.error.${text}`) }));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { sentTo, message, busy, send };
}
