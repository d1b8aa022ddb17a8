import { Button, Checkbox } from '@digdir/designsystemet-react';
import { type SubmitEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogActions } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { PasswordField } from '#components/password-field.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { readFields } from '#lib/read-fields.ts';
import { identity } from '#lib/session.ts';
import { deleteAccount } from '../api.ts';
import { identityErrorText, isIdentityError } from '../identity-error.ts';

type DeleteFormProps = { hasPassword: boolean; onClose: () => void; onDeleted: () => void };

/** Asks who it is and whether they mean it. What stopped halfway is gone on with by the same button. */
export function DeleteForm({ hasPassword, onClose, onDeleted }: DeleteFormProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const errorText = useErrorText();
  const [message, setMessage] = useState('');
  const [wrong, setWrong] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  // Halfway there may be nobody left to confirm to.
  const confirmed = useRef(false);

  async function confirm(password: string) {
    if (confirmed.current) return;
    const changes = await (await identity()).changes();
    await (hasPassword ? changes.confirmPassword(password) : changes.confirmGoogle());
    confirmed.current = true;
  }

  function textOf(error: unknown): string {
    if (isIdentityError(error)) return t(`profile.error.${identityErrorText(error)}`);
    const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
    return refused ? errorText(error) : t('profile.delete.interrupted');
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const { values, missing } = readFields(form, hasPassword ? ['password'] : []);
    const sure = new FormData(form).has('sure');
    setWrong([...(confirmed.current ? [] : missing), ...(sure ? [] : ['sure'])]);
    if (!confirmed.current && missing.length > 0) setMessage(t('profile.delete.password_missing'));
    else if (!sure) setMessage(t('profile.delete.unsure'));
    if ((!confirmed.current && missing.length > 0) || !sure) return;
    setMessage('');
    setBusy(true);
    try {
      await confirm((values as { password?: string }).password ?? '');
      await deleteAccount();
      onDeleted();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'recent_sign_in_required') {
        confirmed.current = false;
      }
      setMessage(textOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      {hasPassword ? (
        <PasswordField
          autoComplete="current-password"
          label={t('profile.delete.password')}
          invalid={wrong.includes('password')}
        />
      ) : (
        <p>{t('profile.delete.google')}</p>
      )}
      <Checkbox
        name="sure"
        value="yes"
        label={t('profile.delete.sure')}
        aria-invalid={wrong.includes('sure') || undefined}
      />
      <FormAlert>{message}</FormAlert>
      <DialogActions>
        <BusyButton type="submit" data-color="danger" busy={busy}>
          {t('profile.delete.submit')}
        </BusyButton>
        <Button variant="secondary" data-color="neutral" onClick={onClose}>
          {t('translation:actions.cancel')}
        </Button>
      </DialogActions>
    </form>
  );
}
