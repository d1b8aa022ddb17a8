import type { User } from '@proveklar/contract/users.ts';
import { Tag } from '@digdir/designsystemet-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { formatShortDate, formatShortDateTime } from '#lib/format-compact.ts';
import { DisableUserDialog } from './disable-user-dialog.tsx';
import { GrantDaysDialog } from './grant-days-dialog.tsx';
import { UserActions } from './user-actions.tsx';
import { UserActivity, UserService } from './user-states.tsx';
import styles from './user-table.module.css';

export function UserTable({ users, busy }: { users: User[]; busy: boolean }) {
  const { t, i18n } = useTranslation('admin');
  const [granting, setGranting] = useState<User>();
  const [disabling, setDisabling] = useState<User>();
  const { language } = i18n;
  const columns: Column<User>[] = [
    {
      key: 'email',
      header: t('users.column.email'),
      primary: true,
      render: ({ email, is_self }) => (
        <>
          {email || t('users.no_email')}{' '}
          {is_self && (
            <Tag data-color="primary" data-size="sm">
              {t('users.you')}
            </Tag>
          )}
        </>
      ),
    },
    { key: 'name', header: t('users.column.name'), render: (user) => user.display_name ?? '–' },
    {
      key: 'status',
      header: t('users.column.status'),
      render: ({ disabled }) => (
        <Tag data-color={disabled ? 'danger' : 'success'} data-size="sm">
          {t(disabled ? 'users.disabled' : 'users.active')}
        </Tag>
      ),
    },
    {
      key: 'created',
      header: t('users.column.created'),
      render: ({ created_at }) => (
        <span className={styles.date}>{formatShortDate(created_at, language)}</span>
      ),
    },
    {
      key: 'last_login',
      header: t('users.column.last_login'),
      render: ({ last_login }) =>
        last_login ? (
          <time className={styles.date} dateTime={last_login}>
            {formatShortDateTime(last_login, language)}
          </time>
        ) : (
          <span className="muted">{t('users.never')}</span>
        ),
    },
    {
      key: 'activity',
      header: t('users.column.activity'),
      render: (user) => <UserActivity user={user} />,
    },
    {
      key: 'service',
      header: t('users.column.service'),
      render: (user) => <UserService user={user} />,
    },
    {
      key: 'actions',
      header: t('users.column.actions'),
      bare: true,
      render: (user) => (
        <UserActions
          user={user}
          onGrant={() => setGranting(user)}
          onDisable={() => setDisabling(user)}
        />
      ),
    },
  ];
  return (
    <>
      <DataTable
        caption={t('users.list')}
        columns={columns}
        rows={users}
        rowKey={({ uid }) => uid}
        busy={busy}
      />
      <GrantDaysDialog to={granting} onClose={() => setGranting(undefined)} />
      <DisableUserDialog user={disabling} onClose={() => setDisabling(undefined)} />
    </>
  );
}
