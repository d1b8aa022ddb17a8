import { Textfield } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { PasswordField } from '#components/password-field.tsx';
import { languageTag } from '#i18n/language.ts';
import { configQuery } from '#lib/config.ts';
import { useErrorText } from '#lib/error-text.ts';
import { readFields } from '#lib/read-fields.ts';
import { createRegistrationIntent } from '../api/create-registration-intent.ts';
import type { PendingRegistration, Person } from '../pending-registration.ts';

/** Specified: the billing step is entered after this many milliseconds. */
const BILLING_DELAY = 300;

type RegistrationFormProps = {
  initial?: Person | undefined;
  /** The idempotency key of a content; outlives this form, so that going back makes no second one. */
  keyOf: (content: unknown) => string;
  onIntent: (registration: PendingRegistration) => void;
};

export function RegistrationForm({ initial, keyOf, onIntent }: RegistrationFormProps) {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const { data: config } = useQuery(configQuery);
  const [message, setMessage] = useState('');
  const [missing, setMissing] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = readFields(event.currentTarget, ['username', 'email', 'password']);
    setMissing(fields.missing);
    setMessage(fields.missing.length > 0 ? t('fields.fill_in_all') : '');
    if (fields.missing.length > 0 || busy) return;
    if (fields.values.password.length < 6) {
      setMissing(['password']);
      setMessage(t('registration.password_short'));
      return;
    }
    const { email, username } = fields.values;
    const language = languageTag(i18n.language) === 'en' ? 'en' : 'no';
    setBusy(true);
    try {
      const intent = await createRegistrationIntent(
        { email, username, language },
        keyOf({ email, username, language }),
      );
      await new Promise((resolve) => setTimeout(resolve, BILLING_DELAY));
      onIntent({ person: fields.values, intent });
    } catch (error) {
      setMessage(t('registration.failed', { message: errorText(error) }));
      setBusy(false);
    }
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Textfield
        label={t('fields.username')}
        name="username"
        autoComplete="name"
        maxLength={100}
        defaultValue={initial?.username}
        aria-invalid={missing.includes('username') || undefined}
      />
      <Textfield
        label={t('fields.email')}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={initial?.email}
        aria-invalid={missing.includes('email') || undefined}
      />
      <PasswordField
        autoComplete="new-password"
        description={t('fields.password_hint')}
        invalid={missing.includes('password')}
      />
      <FormAlert>{message}</FormAlert>
      <BusyButton type="submit" busy={busy}>
        {t('registration.submit')}
      </BusyButton>
      {config?.price !== 0 && <p className="muted">{t('registration.submit_hint')}</p>}
    </form>
  );
}
