import { Textfield } from '@digdir/designsystemet-react';
import { Link, useRouterState } from '@tanstack/react-router';
import type { SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { readFields } from '#lib/read-fields.ts';
import { useResetLink } from '../use-reset-link.ts';
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
