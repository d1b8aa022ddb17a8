import { Button } from '@digdir/designsystemet-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { EmptyState } from '#components/admin/empty-state.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import { type AuditFilter, auditQuery } from '../api.ts';
import { shortId } from '../short-id.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditList } from './audit-list.tsx';
import styles from './audit-screen.module.css';

/** Who did what, and when: kept with each change, for reading only. */
export function AuditScreen() {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const [filter, show] = useScreenSearch('/admin/dashboard/audit');
  const audit = useInfiniteQuery(auditQuery(filter));
  const pages = audit.data?.pages ?? [];
  const entries = pages.flatMap((page) => page.entries);

  function choose({ action, actor, subject }: AuditFilter) {
    show(
      {
        ...(action ? { action } : {}),
        ...(actor ? { actor } : {}),
        ...(subject ? { subject } : {}),
      },
      { replace: true },
    );
  }

  return (
    <AdminScreen title={t('audit.title')} lead={t('audit.lead')}>
      <AuditFilters
        filter={filter}
        actions={pages[0]?.actions ?? []}
        actors={pages[0]?.actors ?? []}
        onChange={choose}
      />
      {filter.subject && (
        <p>
          {t('audit.only_subject', { subject: shortId(filter.subject) })}{' '}
          <Link to="/admin/dashboard/audit" search={{}} className="ds-link">
            {t('audit.clear')}
          </Link>
        </p>
      )}
      {audit.isPending && <SkeletonLines label={t('audit.loading')} lines={8} />}
      {entries.length > 0 && <AuditList entries={entries} busy={audit.isPlaceholderData} />}
      {audit.isSuccess && entries.length === 0 && (
        <NoEntries
          filtered={Boolean(filter.action ?? filter.actor ?? filter.subject)}
          onClear={() => choose({})}
        />
      )}
      {audit.isError && (
        <RetryAlert busy={audit.isFetching} onRetry={() => void audit.refetch()}>
          {t('audit.failed', { status: statusText(audit.error) })}
        </RetryAlert>
      )}
      {audit.hasNextPage && !audit.isError && (
        <div className={styles.more}>
          <BusyButton
            variant="secondary"
            busy={audit.isFetchingNextPage}
            onClick={() => void audit.fetchNextPage()}
          >
            {t('audit.more')}
          </BusyButton>
        </div>
      )}
      {pages.length > 1 && !audit.hasNextPage && <p className={styles.end}>{t('audit.end')}</p>}
    </AdminScreen>
  );
}

function NoEntries({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const { t } = useTranslation('admin');
  return (
    <EmptyState title={t('audit.none')}>
      <p>{t(filtered ? 'audit.none_found' : 'audit.none_yet')}</p>
      {filtered && (
        <Button variant="secondary" onClick={onClear}>
          {t('audit.clear')}
        </Button>
      )}
    </EmptyState>
  );
}
