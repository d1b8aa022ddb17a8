import { Alert } from '@digdir/designsystemet-react';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '#components/form-alert.tsx';
import { PasswordField } from '#components/password-field.tsx';
import { isTooShort } from '#lib/password-rule.ts';
import { readFields } from '#lib/read-fields.ts';
import { renewSession } from '#lib/session.ts';
import { changePassword } from '../api.ts';
import { usePassing } from '../use-passing.ts';
import { useIdentityCall } from '../use-identity-call.ts';
import { EditableRow } from './editable-row.tsx';
import { FormActions } from './form-actions.tsx';

/** The password; of who signs in with Google alone, Google keeps it. */
export function PasswordRow({ hasPassword }: { hasPassword: boolean }) {
  const { t } = useTranslation(['learner', 'translation']);
  const [changed, setChanged] = usePassing(false);
  const [editing, setEditing] = useState(false);
  return (
    <EditableRow
      label={t('translation:fields.password')}
      value={
        hasPassword ? (
          <span aria-label={t('profile.password.hidden')} role="img">
            ••••••••
          </span>
        ) : (
          <p className="muted">{t('profile.password.google')}</p>
        )
      }
      news={
        changed && (
          <Alert data-color="success" data-size="sm">
            {t('profile.password.changed')}
          </Alert>
        )
      }
      editing={editing}
      onEdit={
        hasPassword
          ? () => {
              setChanged(false);
              setEditing(true);
            }
          : undefined
      }
    >
      <PasswordForm
        onClose={() => setEditing(false)}
        onChanged={() => {
          setChanged(true);
          setEditing(false);
        }}
      />
    </EditableRow>
  );
}

type PasswordFormProps = { onChanged: () => void; onClose: () => void };

function PasswordForm({ onChanged, onClose }: PasswordFormProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const { call, busy, message, setMessage } = useIdentityCall();
  const [wrong, setWrong] = useState<string[]>([]);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { values, missing } = readFields(event.currentTarget, ['password', 'password_new']);
    const short = missing.length === 0 && isTooShort(values.password_new);
    setWrong(short ? ['password_new'] : missing);
    if (missing.length > 0) setMessage(t('translation:fields.fill_in_all'));
    else if (short) setMessage(t('translation:registration.password_short'));
    if (missing.length > 0 || short) return;
    const { password, password_new: next } = values;
    const done = await call(async (changes) => {
      await changes.confirmPassword(password);
      await renewSession(async () => {
        await changePassword(next);
        await changes.confirmPassword(next);
      });
    });
    if (done) onChanged();
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <PasswordField
        autoComplete="current-password"
        label={t('profile.password.current')}
        invalid={wrong.includes('password')}
      />
      <PasswordField
        autoComplete="new-password"
        name="password_new"
        label={t('profile.password.new')}
        description={t('translation:fields.password_hint')}
        invalid={wrong.includes('password_new')}
      />
      <FormAlert>{message}</FormAlert>
      <FormActions submit={t('profile.password.submit')} busy={busy} onCancel={onClose} />
    </form>
  );
}
