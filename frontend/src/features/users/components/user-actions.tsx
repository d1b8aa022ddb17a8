import type { User } from '@proveklar/contract/users.ts';
import { Button } from '@digdir/designsystemet-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { useSetDisabled } from '../use-set-disabled.ts';
import styles from './user-table.module.css';

type UserActionsProps = {
  user: User;
  onGrant: () => void;
  onLink: () => void;
  onDisable: () => void;
  onDelete: () => void;
};

/** What may be done about a user. Oneself one can neither delete nor lock out. */
export function UserActions({ user, onGrant, onLink, onDisable, onDelete }: UserActionsProps) {
  const { t } = useTranslation('admin');
  const why = useId();
  const change = useSetDisabled();
  const email = user.email || user.uid;
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
          onClick={onLink}
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
        onClick={onDelete}
      >
        {t('users.delete')}
      </Button>
    </div>
  );
}
