import { Textfield } from '@digdir/designsystemet-react';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '#components/form-alert.tsx';
import { PasswordField } from '#components/password-field.tsx';
import { readFields } from '#lib/read-fields.ts';
import { changeEmail } from '../api.ts';
import { useIdentityCall } from '../use-identity-call.ts';
import { FormActions } from './form-actions.tsx';

/** As strict as the API: there must be a dot. */
const EMAIL = /^[^@\s]+@[^@\s.]+(\.[^@\s.]+)+$/;

type EmailFormProps = { current: string; onSent: (to: string) => void; onClose: () => void };

/** Asks for the new address, and for the password: a page left open must not lose the account. */
export function EmailForm({ current, onSent, onClose }: EmailFormProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const { call, busy, message, setMessage } = useIdentityCall();
  const [wrong, setWrong] = useState<string[]>([]);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { values, missing } = readFields(event.currentTarget, ['email', 'password']);
    const email = values.email.toLowerCase();
    const invalid = missing.length === 0 && (!EMAIL.test(email) || email === current);
    setWrong(invalid ? ['email'] : missing);
    if (missing.length > 0) setMessage(t('translation:fields.fill_in_all'));
    else if (email === current) setMessage(t('profile.email.same'));
    else if (invalid) setMessage(t('translation:fields.email_invalid'));
    if (missing.length > 0 || invalid) return;
    const sent = await call(async (changes) => {
      await changes.confirmPassword(values.password);
      await changeEmail(email);
    });
    if (sent) onSent(email);
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Textfield
        label={t('profile.email.new')}
        description={t('profile.email.hint')}
        name="email"
        type="email"
        autoComplete="email"
        aria-invalid={wrong.includes('email') || undefined}
      />
      <PasswordField
        autoComplete="current-password"
        label={t('profile.password.current')}
        invalid={wrong.includes('password')}
      />
      <FormAlert>{message}</FormAlert>
      <FormActions submit={t('profile.email.send')} busy={busy} onCancel={onClose} />
    </form>
  );
}
