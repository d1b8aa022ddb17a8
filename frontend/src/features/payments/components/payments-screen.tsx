import { Alert, Button } from '@digdir/designsystemet-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { EmptyState } from '#components/admin/empty-state.tsx';
import { StatTiles } from '#components/admin/stat-tiles.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import { paymentsQuery, summaryQuery } from '../api.ts';
import { type PaymentsSearch, readPaymentsSearch } from '../search.ts';
import { PaymentFilters } from './payment-filters.tsx';
import { PaymentTable } from './payment-table.tsx';
import styles from './payments.module.css';
import { ReconciliationPanel } from './reconciliation-panel.tsx';

type PaymentsScreenProps = {
  actions: ReactNode;
  /** What has to be put right before anything is sold. */
  notice: ReactNode;
};

/** Every payment: what became of it, and what needs somebody. */
export function PaymentsScreen({ actions, notice }: PaymentsScreenProps) {
  const { t, i18n } = useTranslation('admin');
  const [search, show] = useScreenSearch('/admin/dashboard/payments', readPaymentsSearch);
  const onSearch = useCallback((next: PaymentsSearch) => show(next, { replace: true }), [show]);
  const summary = useQuery(summaryQuery);
  const counts = summary.data?.counts;
  const sum = (...numbers: number[]) =>
    formatCount(
      numbers.reduce((all, one) => all + one, 0),
      i18n.language,
    );
  return (
    <AdminScreen title={t('payments.title')} lead={t('payments.lead')} actions={actions}>
      {notice}
      <AttentionCallout count={summary.data?.attention ?? 0} />
      <StatTiles
        tiles={[
          { label: t('payments.stat.settled'), value: counts && sum(counts.settled) },
          {
            label: t('payments.stat.open'),
            value:
              counts &&
              sum(counts.open, counts.declined, counts.requires_action, counts.processing),
          },
          {
            label: t('payments.stat.refunded'),
            value: counts && sum(counts.refunded, counts.partly_refunded),
          },
          { label: t('payments.stat.disputed'), value: counts && sum(counts.disputed) },
        ]}
      />
      <PaymentFilters search={search} counts={counts} onSearch={onSearch} />
      <PaymentList search={search} onClear={() => onSearch({})} />
      {summary.data && (
        <ReconciliationPanel last={summary.data.reconciliation} running={summary.data.running} />
      )}
    </AdminScreen>
  );
}

function PaymentList({ search, onClear }: { search: PaymentsSearch; onClear: () => void }) {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const list = useInfiniteQuery(paymentsQuery(search));
  const payments = list.data?.pages.flatMap((page) => page.payments) ?? [];
  const filtered = Boolean(search.status ?? search.attention ?? search.search);
  return (
    <div className={styles.list}>
      {list.isPending && <SkeletonLines label={t('payments.loading')} lines={8} />}
      {payments.length > 0 && <PaymentTable payments={payments} busy={list.isPlaceholderData} />}
      {list.isSuccess && payments.length === 0 && (
        <EmptyState title={t('payments.none')}>
          <p>{t(filtered ? 'payments.none_found' : 'payments.none_yet')}</p>
          {filtered && (
            <Button variant="secondary" onClick={onClear}>
              {t('payments.clear')}
            </Button>
          )}
        </EmptyState>
      )}
      {list.isError && (
        <RetryAlert busy={list.isFetching} onRetry={() => void list.refetch()}>
          {t('payments.failed.fetch', { status: statusText(list.error) })}
        </RetryAlert>
      )}
      {list.hasNextPage && !list.isError && (
        <BusyButton
          className={styles.more}
          variant="secondary"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('payments.more')}
        </BusyButton>
      )}
    </div>
  );
}

const MOST_SHOWN = 5;

/** The payments that a person must look at, each with what to do. Nothing when there is none. */
function AttentionCallout({ count }: { count: number }) {
  const { t } = useTranslation('admin');
  const { data } = useInfiniteQuery({ ...paymentsQuery({ attention: true }), enabled: count > 0 });
  if (count === 0) return null;
  const payments = data?.pages[0]?.payments ?? [];
  return (
    <Alert data-color="warning" data-size="sm">
      <div className={styles.callout}>
        <h2 className={styles.heading}>{t('payments.attention_title', { count })}</h2>
        <ul className={styles.todo}>
          {payments.slice(0, MOST_SHOWN).map(({ id, email, attention }) => (
            <li key={id}>
              <Link to="/admin/dashboard/payments/$id" params={{ id }} className="ds-link">
                {email ?? t('payments.deleted')}
              </Link>{' '}
              {attention && t(`payments.attention.${attention}`)}
            </li>
          ))}
        </ul>
        {count > MOST_SHOWN && (
          <Link to="/admin/dashboard/payments" search={{ attention: true }} className="ds-link">
            {t('payments.attention_all', { count })}
          </Link>
        )}
      </div>
    </Alert>
  );
}
