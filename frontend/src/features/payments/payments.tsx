import { Alert, Button, Checkbox, Field, Label, Select, Tag } from '@digdir/designsystemet-react';
import type {
  ListedPayment,
  PaymentStatus,
  PaymentSummary,
} from '@proveklar/contract/admin-payments.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState, StatTiles } from '#components/admin/admin-screen.tsx';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { TypedFilter } from '#components/admin/filters.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { formatCount, formatShortDateTime } from '#lib/format-compact.ts';
import { formatKroner } from '#lib/format.ts';
import { useShowMore } from '#lib/use-focus.ts';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import { paymentsQuery, summaryQuery } from './api.ts';
import styles from './payments.module.css';
import { ReconciliationPanel } from './reconciliation.tsx';
import { type PaymentsSearch, PURPOSES, readPaymentsSearch, STATUSES } from './search.ts';
import { StatusTag } from './status-tag.tsx';

type PaymentsScreenProps = {
  actions: ReactNode;
  /** Shown while the settings do not allow sales. */
  notice: ReactNode;
};

/** All payments, with those that need attention. */
export function PaymentsScreen({ actions, notice }: PaymentsScreenProps) {
  const { t, i18n } = useTranslation('admin');
  const [search, show] = useScreenSearch('/admin/dashboard/payments', readPaymentsSearch);
  const onSearch = (next: PaymentsSearch) => show(next, { replace: true });
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
  const found = useInfiniteQuery(paymentsQuery(search));
  const { list, showMore } = useShowMore<HTMLDivElement>(found.fetchNextPage);
  const payments = found.data?.pages.flatMap((page) => page.payments) ?? [];
  const filtered = Boolean(search.status ?? search.purpose ?? search.attention ?? search.search);
  return (
    <div ref={list} className={styles.list}>
      {found.isPending && <SkeletonLines label={t('payments.loading')} lines={8} />}
      {payments.length > 0 && <PaymentTable payments={payments} busy={found.isPlaceholderData} />}
      {found.isSuccess && payments.length === 0 && (
        <EmptyState title={t('payments.none')}>
          <p>{t(filtered ? 'payments.none_found' : 'payments.none_yet')}</p>
          {filtered && (
            <Button variant="secondary" onClick={onClear}>
              {t('payments.clear')}
            </Button>
          )}
        </EmptyState>
      )}
      {found.isError && (
        <RetryAlert
          busy={found.isFetching}
          onRetry={found.isFetchNextPageError ? showMore : () => void found.refetch()}
        >
          {t('payments.failed.fetch', { status: statusText(found.error) })}
        </RetryAlert>
      )}
      {found.hasNextPage && !found.isError && (
        <BusyButton
          className={styles.more}
          variant="secondary"
          busy={found.isFetchingNextPage}
          onClick={showMore}
        >
          {t('payments.more')}
        </BusyButton>
      )}
    </div>
  );
}

const MAX_SHOWN = 5;

/** The payments that need attention, each with what to do. Renders nothing if there are none. */
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
          {payments.slice(0, MAX_SHOWN).map(({ id, email, attention }) => (
            <li key={id}>
              <Link to="/admin/dashboard/payments/$id" params={{ id }} className="ds-link">
                {email ?? t('payments.deleted')}
              </Link>{' '}
              {attention && t(`payments.attention.${attention}`)}
            </li>
          ))}
        </ul>
        {count > MAX_SHOWN && (
          <Link to="/admin/dashboard/payments" search={{ attention: true }} className="ds-link">
            {t('payments.attention_all', { count })}
          </Link>
        )}
      </div>
    </Alert>
  );
}

type PaymentFiltersProps = {
  search: PaymentsSearch;
  counts: PaymentSummary['counts'] | undefined;
  onSearch: (search: PaymentsSearch) => void;
};

/** Which payments are shown. */
function PaymentFilters({ search, counts, onSearch }: PaymentFiltersProps) {
  const { t, i18n } = useTranslation('admin');
  const text = (status: PaymentStatus) =>
    counts
      ? `${t(`payments.status.${status}`)} (${formatCount(counts[status], i18n.language)})`
      : t(`payments.status.${status}`);
  return (
    <search className={styles.filters} aria-label={t('payments.filter')}>
      <TypedFilter
        label={t('payments.search')}
        description={t('payments.search_what')}
        maxLength={255}
        value={search.search ?? ''}
        onChange={(wanted) => onSearch(readPaymentsSearch({ ...search, search: wanted }))}
      />
      <Field>
        <Label>{t('payments.filter_status')}</Label>
        <Select
          value={search.status ?? ''}
          onChange={(event) =>
            onSearch(readPaymentsSearch({ ...search, status: event.currentTarget.value }))
          }
        >
          <Select.Option value="">{t('payments.all_statuses')}</Select.Option>
          {STATUSES.map((status) => (
            <Select.Option key={status} value={status}>
              {text(status)}
            </Select.Option>
          ))}
        </Select>
      </Field>
      <Field>
        <Label>{t('payments.column.purpose')}</Label>
        <Select
          value={search.purpose ?? ''}
          onChange={(event) =>
            onSearch(readPaymentsSearch({ ...search, purpose: event.currentTarget.value }))
          }
        >
          <Select.Option value="">{t('payments.all_purposes')}</Select.Option>
          {PURPOSES.map((purpose) => (
            <Select.Option key={purpose} value={purpose}>
              {t(`payments.purpose.${purpose}`)}
            </Select.Option>
          ))}
        </Select>
      </Field>
      <Checkbox
        className={styles.check}
        label={t('payments.only_attention')}
        checked={search.attention ?? false}
        onChange={(event) =>
          onSearch(readPaymentsSearch({ ...search, attention: event.currentTarget.checked }))
        }
      />
    </search>
  );
}

/** A table of payments with links to their pages. */
function PaymentTable({ payments, busy }: { payments: ListedPayment[]; busy: boolean }) {
  const { t, i18n } = useTranslation('admin');
  const columns: Column<ListedPayment>[] = [
    {
      key: 'email',
      header: t('payments.column.email'),
      primary: true,
      render: ({ id, email, organisation }) => (
        <span className={styles.stack}>
          <Link to="/admin/dashboard/payments/$id" params={{ id }} className="ds-link">
            {email ?? t('payments.deleted')}
          </Link>
          {organisation && <small>{organisation}</small>}
        </span>
      ),
    },
    {
      key: 'created',
      header: t('payments.column.created'),
      render: ({ created_at }) => (
        <time className={styles.date} dateTime={created_at}>
          {formatShortDateTime(created_at, i18n.language)}
        </time>
      ),
    },
    {
      key: 'purpose',
      header: t('payments.column.purpose'),
      render: ({ purpose }) => t(`payments.purpose.${purpose}`),
    },
    {
      key: 'amount',
      header: t('payments.column.amount'),
      align: 'end',
      render: ({ amount, refunded }) => (
        <span className={styles.stack}>
          <span>{formatKroner(amount / 100, i18n.language)}</span>
          {refunded > 0 && (
            <small>
              {t('payments.refunded', { amount: formatKroner(refunded / 100, i18n.language) })}
            </small>
          )}
        </span>
      ),
    },
    {
      key: 'days',
      header: t('payments.column.days'),
      align: 'end',
      render: ({ days }) => days,
    },
    {
      key: 'status',
      header: t('payments.column.status'),
      render: (payment) => <Status payment={payment} />,
    },
    {
      key: 'receipt',
      header: t('payments.column.receipt'),
      align: 'end',
      render: ({ receipt_number }) => receipt_number ?? '–',
    },
  ];
  return (
    <DataTable
      caption={t('payments.list')}
      columns={columns}
      rows={payments}
      rowKey={({ id }) => id}
      busy={busy}
    />
  );
}

function Status({ payment }: { payment: ListedPayment }) {
  const { t } = useTranslation('admin');
  const { status, attention, declines } = payment;
  return (
    <span className={styles.stack}>
      <span className={styles.tags}>
        <StatusTag status={status} />
        {attention && (
          <Tag data-color="danger" data-size="sm" variant="outline">
            {t('payments.needs_you')}
          </Tag>
        )}
      </span>
      {declines > 0 && <small>{t('payments.declines', { count: declines })}</small>}
    </span>
  );
}
