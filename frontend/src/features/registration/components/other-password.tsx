import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { PasswordField } from '#components/password-field.tsx';
import { readFields } from '#lib/read-fields.ts';
import { isTooShort } from '#lib/password-rule.ts';

type OtherPasswordProps = {
  /** Nothing was paid, so nothing is said of it. */
  free: boolean;
  busy: boolean;
  onChosen: (password: string) => void;
};

/** After the sign-in service refused the password: another one, and nothing is paid again. */
export function OtherPassword({ free, busy, onChosen }: OtherPasswordProps) {
  const { t } = useTranslation(['translation', 'purchase']);
  const [tooShort, setTooShort] = useState(false);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { password } = readFields(event.currentTarget, ['password']).values;
    const short = isTooShort(password);
    setTooShort(short);
    if (!short && !busy) onChosen(password);
  }

  return (
    <form noValidate onSubmit={submit}>
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
        error={tooShort ? t('registration.password_short') : undefined}
      />
      <BusyButton type="submit" busy={busy}>
        {t('purchase:payment.problem.password_save')}
      </BusyButton>
    </form>
  );
}
