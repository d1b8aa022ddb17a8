import { Button, Textfield } from '@digdir/designsystemet-react';
import { MAX_NOTE_LENGTH } from '@proveklar/contract/limits.ts';
import type { User } from '@proveklar/contract/users.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmAction, ConfirmDialog } from '#components/admin/confirm-action.tsx';
import { MoreMenu } from '#components/admin/more-menu.tsx';
import { notify } from '#components/admin/notify.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { deleteUser, sendPasswordLink, setDisabled, usersKeys } from './api.ts';
import styles from './users.module.css';

type UserActionsProps = {
  user: User;
  /** Called when the user was deleted. */
  onDeleted?: () => void;
  onGrant: () => void;
  onDisable: () => void;
};

/** The actions for a user. Administrators can neither delete nor disable themselves. */
export function UserActions({ user, onGrant, onDisable, onDeleted }: UserActionsProps) {
  const { t } = useTranslation('admin');
  const why = useId();
  const queryClient = useQueryClient();
  const change = useSetDisabled();
  const email = user.email || user.uid;

  function askToSendLink() {
    confirmAction({
      title: t('users.link.title'),
      body: <p>{t('users.link.text', { email })}</p>,
      action: t('users.link.action'),
      tone: 'primary',
      run: () => sendPasswordLink(user.uid),
      onDone: () => notify(t('users.link.sent', { email })),
      describeError: (reason) => t('users.failed.link', { reason }),
    });
  }

  function askToDelete() {
    confirmAction({
      title: t('users.delete_title'),
      body: (
        <>
          <p>{t('users.delete_text', { email })}</p>
          <p className="muted">{t('users.delete_what')}</p>
        </>
      ),
      action: t('users.delete_action'),
      run: () => deleteUser(user.uid),
      onDone: () => {
        notify(t('users.deleted_notice', { email }));
        onDeleted?.();
        return queryClient.invalidateQueries({ queryKey: usersKeys.all });
      },
      describeError: (reason) => t('users.failed.delete', { reason }),
    });
  }

  if (user.is_self) {
    return (
      <div className={styles.own}>
        <Button data-size="sm" variant="tertiary" disabled aria-describedby={why}>
          {t('users.delete')}
        </Button>
        <p id={why} className={styles.why}>
          {t('users.cannot_delete_self')}
        </p>
      </div>
    );
  }
  return (
    <MoreMenu label={t('users.actions_for', { email })}>
      <Button
        data-size="sm"
        variant="tertiary"
        aria-label={t('users.grant.who', { email })}
        onClick={onGrant}
      >
        {t('users.grant.one')}
      </Button>
      {user.email && (
        <Button
          data-size="sm"
          variant="tertiary"
          aria-label={t('users.link.who', { email })}
          onClick={askToSendLink}
        >
          {t('users.link.open')}
        </Button>
      )}
      <BusyButton
        data-size="sm"
        variant="tertiary"
        busy={change.isPending}
        aria-label={t(user.disabled ? 'users.enable_who' : 'users.disable_who', { email })}
        onClick={() => (user.disabled ? change.mutate({ user, disabled: false }) : onDisable())}
      >
        {t(user.disabled ? 'users.enable' : 'users.disable')}
      </BusyButton>
      <Button
        data-size="sm"
        variant="tertiary"
        data-color="danger"
        aria-label={t('users.delete_who', { email })}
        onClick={askToDelete}
      >
        {t('users.delete')}
      </Button>
    </MoreMenu>
  );
}

type DisableUserDialogProps = { user: User | undefined; onClose: () => void };

/** Asks for the reason why a user is disabled, which the mail to them states. Optional. */
export function DisableUserDialog({ user, onClose }: DisableUserDialogProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const [reason, setReason] = useState('');
  const change = useSetDisabled({ user, close });
  const email = user?.email || (user?.uid ?? '');
  const isFailed = change.isError && change.variables.user.uid === user?.uid;

  function close() {
    // While it is pending, a notice will say how it ended.
    if (!change.isPending) change.reset();
    setReason('');
    onClose();
  }

  function disable() {
    if (user) change.mutate({ user, disabled: true, reason: reason.trim() });
  }
  return (
    <ConfirmDialog
      open={user !== undefined}
      title={t('users.disable_title')}
      action={t('users.disable_action')}
      busy={change.isPending}
      error={isFailed ? t('users.failed.update', { reason: errorText(change.error) }) : ''}
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

type Change = {
  user: User;
  disabled: boolean;
  /** The reason in the mail to the user; empty for none. */
  reason?: string;
};

/** A dialog that is open for this user. It shows a failure, so that no notice does, and is closed by a success. */
type OpenDialog = { user: User | undefined; close: () => void };

/** Disables or enables a user, and shows a notice with undo. */
function useSetDisabled(dialog?: OpenDialog) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: ({ user, disabled, reason }: Change) => setDisabled(user.uid, disabled, reason),
    onSuccess: (_, { user, disabled }) => {
      const email = user.email || user.uid;
      if (dialog?.user?.uid === user.uid) dialog.close();
      notify(t(disabled ? 'users.disabled_notice' : 'users.enabled_notice', { email }), {
        label: t('shell.undo'),
        onUndo: () => change.mutate({ user, disabled: !disabled }),
      });
    },
    onError: (error, { user }) => {
      if (dialog?.user?.uid === user.uid) return;
      notify(t('users.failed.update', { reason: errorText(error) }));
      change.reset();
    },
    // Also after a failure, because the list may be stale.
    onSettled: () => queryClient.invalidateQueries({ queryKey: usersKeys.all }),
  });
  return change;
}
