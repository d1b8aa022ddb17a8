import { Button, Tag } from '@digdir/designsystemet-react';
import type { User } from '@proveklar/contract/users.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState, StatTiles } from '#components/admin/admin-screen.tsx';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { Choice, TypedFilter } from '#components/admin/filters.tsx';
import { notify } from '#components/admin/notify.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { Cluster, Stack } from '#components/layout.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { formatCount, formatShortDate, formatShortDateTime } from '#lib/format-compact.ts';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import {
  readUsersSearch,
  SERVICE_STATES,
  USER_SORTS,
  USER_STATUSES,
  type UsersSearch,
  usersQuery,
} from './api.ts';
import { GrantDaysDialog } from './grant-days.tsx';
import { DisableUserDialog, UserActions } from './user-actions.tsx';
import styles from './users.module.css';

/** All users: profile, activity, access, and the actions. */
export function UsersScreen() {
  const { t, i18n } = useTranslation('admin');
  const statusText = useStatusText();
  const [filter, show] = useScreenSearch('/admin/dashboard/users', readUsersSearch);
  const { tokens, setTokens } = usePageTokens(JSON.stringify(filter));
  const users = useQuery(usersQuery({ ...filter, pageToken: tokens.at(-1) }));

  const choose = (next: UsersSearch) => show(readUsersSearch(next), { replace: true });
  async function refresh() {
    const { isError } = await users.refetch();
    if (!isError) notify(t('users.refreshed'));
  }

  const stats = users.data?.stats;
  const next = users.data?.next_page_token ?? null;
  const count = (n: number | undefined) =>
    n === undefined ? undefined : formatCount(n, i18n.language);
  return (
    <AdminScreen
      title={t('users.title')}
      actions={
        <BusyButton variant="secondary" busy={users.isFetching} onClick={() => void refresh()}>
          {t('users.refresh')}
        </BusyButton>
      }
    >
      <StatTiles
        tiles={[
          { label: t('users.stat.total'), value: count(stats?.total_users) },
          { label: t('users.stat.active'), value: count(stats?.active_users) },
          { label: t('users.stat.with_activity'), value: count(stats?.users_with_activity) },
        ]}
      />
      <UserFilters filter={filter} onChange={choose} />
      {users.isPending && <SkeletonLines label={t('users.loading')} lines={8} />}
      {users.isError && (
        <RetryAlert busy={users.isFetching} onRetry={() => void users.refetch()}>
          {t('users.failed.fetch', { status: statusText(users.error) })}
        </RetryAlert>
      )}
      {users.data && (
        <Stack gap={5}>
          {users.data.users.length > 0 ? (
            <UserTable users={users.data.users} busy={users.isPlaceholderData} />
          ) : (
            <NoUsers isFiltered={Object.values(filter).some(Boolean)} onClear={() => choose({})} />
          )}
          <UserPages
            page={tokens.length + 1}
            onPrevious={tokens.length > 0 ? () => setTokens(tokens.slice(0, -1)) : undefined}
            onNext={next === null ? undefined : () => setTokens([...tokens, next])}
          />
        </Stack>
      )}
    </AdminScreen>
  );
}

type UserFiltersProps = { filter: UsersSearch; onChange: (filter: UsersSearch) => void };

function UserFilters({ filter, onChange }: UserFiltersProps) {
  const { t } = useTranslation('admin');
  return (
    <search className={styles.search} aria-label={t('users.filter')}>
      <TypedFilter
        label={t('users.search')}
        maxLength={254}
        value={filter.email ?? ''}
        onChange={(email) => onChange({ ...filter, email })}
      />
      <Choice
        label={t('users.column.status')}
        value={filter.status}
        all={t('users.all')}
        options={USER_STATUSES.map((one) => [one, t(`users.${one}`)])}
        onChange={(status) => onChange({ ...filter, status })}
      />
      <Choice
        label={t('users.column.service')}
        value={filter.service}
        all={t('users.all')}
        options={SERVICE_STATES.map((one) => [one, t(`users.service.${one}`)])}
        onChange={(service) => onChange({ ...filter, service })}
      />
      <Choice
        label={t('users.sort')}
        value={filter.sort}
        all={t('users.sort_by.none')}
        options={USER_SORTS.map((one) => [one, t(`users.sort_by.${one}`)])}
        onChange={(sort) => onChange({ ...filter, sort })}
      />
    </search>
  );
}

function NoUsers({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { t } = useTranslation('admin');
  return (
    <EmptyState title={t('users.none')}>
      <p>{t(isFiltered ? 'users.none_found' : 'users.none_yet')}</p>
      {isFiltered && (
        <Button variant="secondary" onClick={onClear}>
          {t('users.clear')}
        </Button>
      )}
    </EmptyState>
  );
}

/**
 * The token of each page up to the current one, because the identity provider has no previous pages. Tokens
 * belong to a search: another search starts at the first page.
 */
function usePageTokens(search: string) {
  const [kept, setKept] = useState({ search, tokens: [] as string[] });
  return {
    tokens: kept.search === search ? kept.tokens : [],
    setTokens: (tokens: string[]) => setKept({ search, tokens }),
  };
}

type UserPagesProps = {
  page: number;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
};

/** Buttons to the previous and next page; the identity provider does not count pages. */
function UserPages({ page, onPrevious, onNext }: UserPagesProps) {
  const { t } = useTranslation('admin');
  if (!onPrevious && !onNext) return null;
  return (
    <Cluster as="nav" gap={4} align="center" justify="center" aria-label={t('users.pages')}>
      <Button variant="secondary" data-size="sm" aria-disabled={!onPrevious} onClick={onPrevious}>
        {t('users.previous')}
      </Button>
      <span aria-live="polite">{t('users.page', { page })}</span>
      <Button variant="secondary" data-size="sm" aria-disabled={!onNext} onClick={onNext}>
        {t('users.next')}
      </Button>
    </Cluster>
  );
}

function UserTable({ users, busy }: { users: User[]; busy: boolean }) {
  const { t, i18n } = useTranslation('admin');
  const [granting, setGranting] = useState<User>();
  const [disabling, setDisabling] = useState<User>();
  const { language } = i18n;
  const columns: Column<User>[] = [
    {
      key: 'email',
      header: t('users.column.email'),
      primary: true,
      render: ({ uid, email, is_self }) => (
        <span className={styles.person}>
          <Link to="/admin/dashboard/users/$uid" params={{ uid }} className="ds-link">
            {email || t('users.no_email')}
          </Link>
          {is_self && (
            <span>
              <Tag data-color="primary" data-size="sm">
                {t('users.you')}
              </Tag>
            </span>
          )}
        </span>
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
      // Who practises has signed in, though the provider may not know when.
      render: ({ last_login, quizzes }) =>
        last_login ? (
          <time className={styles.date} dateTime={last_login}>
            {formatShortDateTime(last_login, language)}
          </time>
        ) : (
          <span className="muted">{quizzes > 0 ? '–' : t('users.never')}</span>
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

/** Whether the user practises, how much, and when last. */
function UserActivity({ user }: { user: User }) {
  const { t, i18n } = useTranslation('admin');
  if (user.quizzes === 0) return <span className="muted">{t('users.no_activity')}</span>;
  return (
    <div className={styles.stack}>
      <span>
        <span className={styles.dot} aria-hidden="true" />
        {t('users.quizzes', { count: user.quizzes })}
      </span>
      {user.last_active_at && (
        <small>
          {t('users.last_active', { date: formatShortDate(user.last_active_at, i18n.language) })}
        </small>
      )}
    </div>
  );
}

/** Whether the user may practise, and for how long. */
export function UserService({ user }: { user: User }) {
  const { t, i18n } = useTranslation('admin');
  const { days_remaining: count, service_expires_at: until } = user;
  if (count === 0) {
    const text = user.is_active ? 'free' : until ? 'expired' : 'none';
    return <span className="muted">{t(`users.service_${text}`)}</span>;
  }
  return (
    <div className={styles.stack}>
      <span>{t('users.service_days', { count })}</span>
      {until && (
        <small>{t('users.service_until', { date: formatShortDate(until, i18n.language) })}</small>
      )}
    </div>
  );
}
