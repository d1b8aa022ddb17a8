import type { User } from '@proveklar/contract/users.ts';
import { Button } from '@digdir/designsystemet-react';
import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmAction } from '#components/admin/confirm-action.tsx';
import { notify } from '#components/admin/notify.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { deleteUser, sendPasswordLink, usersKeys } from '../api.ts';
import { useSetDisabled } from '../use-set-disabled.ts';
import styles from './user-table.module.css';

type UserActionsProps = {
  user: User;
  onGrant: () => void;
  onDisable: () => void;
};

/** What may be done about a user. Oneself one can neither delete nor lock out. */
export function UserActions({ user, onGrant, onDisable }: UserActionsProps) {
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
    <div className={styles.actions}>
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
    </div>
  );
}
