import type { User } from '@proveklar/contract/users.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '#components/admin/confirm-dialog.tsx';
import { notify } from '#components/admin/notify.ts';
import { useErrorText } from '#lib/error-text.ts';
import { deleteUser, usersKeys } from '../api.ts';

type DeleteUserDialogProps = { user: User | undefined; onClose: () => void };

export function DeleteUserDialog({ user, onClose }: DeleteUserDialogProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const email = user?.email || (user?.uid ?? '');
  const deletion = useMutation({
    mutationFn: deleteUser,
    onSuccess: () => {
      notify(t('users.deleted_notice', { email }));
      close();
      return queryClient.invalidateQueries({ queryKey: usersKeys.all });
    },
  });

  function close() {
    deletion.reset();
    onClose();
  }
  return (
    <ConfirmDialog
      open={user !== undefined}
      title={t('users.delete_title')}
      action={t('users.delete_action')}
      busy={deletion.isPending}
      error={
        deletion.isError ? t('users.failed.delete', { reason: errorText(deletion.error) }) : ''
      }
      onConfirm={() => user && deletion.mutate(user.uid)}
      onClose={close}
    >
      <p>{t('users.delete_text', { email })}</p>
      <p className="muted">{t('users.delete_what')}</p>
    </ConfirmDialog>
  );
}
