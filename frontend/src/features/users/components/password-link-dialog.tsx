import type { User } from '@proveklar/contract/users.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '#components/admin/confirm-dialog.tsx';
import { notify } from '#components/admin/notify.ts';
import { useErrorText } from '#lib/error-text.ts';
import { sendPasswordLink } from '../api.ts';

type PasswordLinkDialogProps = { user: User | undefined; onClose: () => void };

/** Asks before somebody is mailed the link under which they choose a password. */
export function PasswordLinkDialog({ user, onClose }: PasswordLinkDialogProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const email = user?.email ?? '';
  const sending = useMutation({
    mutationFn: sendPasswordLink,
    onSuccess: () => {
      notify(t('users.link.sent', { email }));
      close();
    },
  });

  function close() {
    sending.reset();
    onClose();
  }
  return (
    <ConfirmDialog
      open={user !== undefined}
      title={t('users.link.title')}
      action={t('users.link.action')}
      tone="primary"
      busy={sending.isPending}
      error={sending.isError ? t('users.failed.link', { reason: errorText(sending.error) }) : ''}
      onConfirm={() => user && sending.mutate(user.uid)}
      onClose={close}
    >
      <p>{t('users.link.text', { email })}</p>
    </ConfirmDialog>
  );
}
