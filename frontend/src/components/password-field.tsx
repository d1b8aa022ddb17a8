import { Button, Field, Input, Label, ValidationMessage } from '@digdir/designsystemet-react';
import { EyeIcon, EyeSlashIcon } from '@navikt/aksel-icons';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './password-field.module.css';

type PasswordFieldProps = {
  autoComplete: 'current-password' | 'new-password';
  /** "Password" by default. */
  label?: string;
  /** Begins with "password", so that `readFields` does not trim it. */
  name?: `password${string}`;
  description?: string;
  invalid?: boolean;
  /** The error of the field. */
  error?: string | undefined;
};

/** A password field that can show its content: typing blindly is hard, especially on a phone. */
export function PasswordField({
  autoComplete,
  label,
  name = 'password',
  description,
  invalid,
  error,
}: PasswordFieldProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const id = useId();
  const Icon = shown ? EyeSlashIcon : EyeIcon;
  return (
    <Field>
      <Label htmlFor={id}>{label ?? t('fields.password')}</Label>
      {description && <Field.Description>{description}</Field.Description>}
      <div className={styles.row}>
        <Input
          id={id}
          name={name}
          type={shown ? 'text' : 'password'}
          autoComplete={autoComplete}
          aria-invalid={invalid || Boolean(error) || undefined}
          className={styles.input}
        />
        <Button
          icon
          variant="tertiary"
          data-size="sm"
          className={styles.toggle}
          aria-label={t(shown ? 'fields.hide_password' : 'fields.show_password')}
          onClick={() => setShown(!shown)}
        >
          <Icon aria-hidden />
        </Button>
      </div>
      {error && <ValidationMessage>{error}</ValidationMessage>}
    </Field>
  );
}
