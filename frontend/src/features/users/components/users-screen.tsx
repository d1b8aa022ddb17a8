import { Button } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { EmptyState } from '#components/admin/empty-state.tsx';
import { notify } from '#components/admin/notify.ts';
import { StatTiles } from '#components/admin/stat-tiles.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import { usersQuery } from '../api.ts';
import { UserSearch } from './user-search.tsx';
import { UserTable } from './user-table.tsx';
import styles from './users-screen.module.css';

/** Everybody who has an account: who they are, what they do, and what may be done about it. */
export function UsersScreen() {
  const { t, i18n } = useTranslation('admin');
  const statusText = useStatusText();
  const [{ email = '' }, show] = useScreenSearch('/admin/dashboard/users');
  const { tokens, setTokens } = usePageTokens(email);
  const users = useQuery(usersQuery({ email, pageToken: tokens.at(-1) }));

  const search = useCallback(
    (wanted: string) => show(wanted ? { email: wanted } : {}, { replace: true }),
    [show],
  );
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
      <UserSearch email={email} onSearch={search} />
      {users.isPending && <SkeletonLines label={t('users.loading')} lines={8} />}
      {users.isError && (
        <RetryAlert busy={users.isFetching} onRetry={() => void users.refetch()}>
          {t('users.failed.fetch', { status: statusText(users.error) })}
        </RetryAlert>
      )}
      {users.data && !users.isError && (
        <div className={styles.list}>
          {users.data.users.length > 0 ? (
            <UserTable users={users.data.users} busy={users.isPlaceholderData} />
          ) : (
            <NoUsers email={email} onClear={() => search('')} />
          )}
          <UserPages
            page={tokens.length + 1}
            onPrevious={tokens.length > 0 ? () => setTokens(tokens.slice(0, -1)) : undefined}
            onNext={next === null ? undefined : () => setTokens([...tokens, next])}
          />
        </div>
      )}
    </AdminScreen>
  );
}

function NoUsers({ email, onClear }: { email: string; onClear: () => void }) {
  const { t } = useTranslation('admin');
  return (
    <EmptyState title={t('users.none')}>
      <p>{email ? t('users.none_found', { email }) : t('users.none_yet')}</p>
      {email && (
        <Button variant="secondary" onClick={onClear}>
          {t('users.clear')}
        </Button>
      )}
    </EmptyState>
  );
}

/**
 * The token of each page up to the one that is shown, for the identity provider knows no way back.
 * Tokens belong to a search: with another one the first page is shown.
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

/** Only the next page and those before are known: the identity provider counts none. */
function UserPages({ page, onPrevious, onNext }: UserPagesProps) {
  const { t } = useTranslation('admin');
  if (!onPrevious && !onNext) return null;
  return (
    <nav aria-label={t('users.pages')} className={styles.pages}>
      <Button variant="secondary" data-size="sm" aria-disabled={!onPrevious} onClick={onPrevious}>
        {t('users.previous')}
      </Button>
      <span aria-live="polite">{t('users.page', { page })}</span>
      <Button variant="secondary" data-size="sm" aria-disabled={!onNext} onClick={onNext}>
        {t('users.next')}
      </Button>
    </nav>
  );
}
