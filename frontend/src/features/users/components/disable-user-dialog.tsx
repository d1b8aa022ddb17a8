import type { User } from '@proveklar/contract/users.ts';
import { Textfield } from '@digdir/designsystemet-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_NOTE_LENGTH } from '@proveklar/contract/limits.ts';
import { ConfirmDialog } from '#components/admin/confirm-dialog.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { useSetDisabled } from '../use-set-disabled.ts';

/** As the contract says. */

type DisableUserDialogProps = { user: User | undefined; onClose: () => void };

/** Asks why a user is kept out: the mail to them says it. It may be left empty. */
export function DisableUserDialog({ user, onClose }: DisableUserDialogProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const [reason, setReason] = useState('');
  const change = useSetDisabled();
  const email = user?.email || (user?.uid ?? '');

  function close() {
    change.reset();
    setReason('');
    onClose();
  }

  function disable() {
    if (!user) return;
    change.mutate({ user, disabled: true, reason: reason.trim() }, { onSuccess: close });
  }
  return (
    <ConfirmDialog
      open={user !== undefined}
      title={t('users.disable_title')}
      action={t('users.disable_action')}
      busy={change.isPending}
      error={change.isError ? t('users.failed.update', { reason: errorText(change.error) }) : ''}
      onConfirm={disable}
      onClose={close}
    >
      <p>{t('users.disable_text', { email })}</p>
      <Textfield
        multiline
        rows={3}
        maxLength={MAX_NOTE_LENGTH}
        label={t('users.disable_reason')}
        description={t('users.disable_reason_what')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
