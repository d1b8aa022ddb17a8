import type { Import } from '@proveklar/contract/imports.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { EmptyState } from '#components/admin/empty-state.tsx';
import { PageButtons } from '#components/admin/page-buttons.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatDateTime } from '#lib/format.ts';
import { IMPORTS_PER_PAGE, importsQuery } from '../../api.ts';
import { formatCount } from '../../format-amounts.ts';
import { keepsNothing } from '../../import-state.ts';
import { StateTag } from '../state-tag.tsx';
import styles from './import-history.module.css';

type ImportHistoryProps = { page: number; onPage: (page: number) => void };

/** All imports, the newest first: what, who, when, and what became of it. */
export function ImportHistory({ page, onPage }: ImportHistoryProps) {
  const { t } = useTranslation('admin');
  const { t: tc } = useTranslation();
  const errorText = useErrorText();
  const columns = useColumns();
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery(
    importsQuery(page),
  );
  return (
    <section className={styles.history} aria-labelledby="import-history">
      <h2 id="import-history">{t('import.history.title')}</h2>
      {isPending && <SkeletonLines label={tc('app.loading')} lines={5} />}
      {error && !data && (
        <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
          {errorText(error)}
        </RetryAlert>
      )}
      {data?.total === 0 && (
        <EmptyState title={t('import.history.empty_title')}>
          <p>{t('import.history.empty_text')}</p>
        </EmptyState>
      )}
      {data && data.imports.length > 0 && (
        <DataTable
          caption={t('import.history.title')}
          columns={columns}
          rows={data.imports}
          rowKey={({ id }) => id}
          busy={isPlaceholderData}
        />
      )}
      {data && (
        <PageButtons page={page} pages={Math.ceil(data.total / IMPORTS_PER_PAGE)} onPage={onPage} />
      )}
    </section>
  );
}

/** What the bank got; the others are said of the file. */
function isGain(name: string): boolean {
  return name === 'imported' || name === 'updated';
}

function useColumns(): Column<Import>[] {
  const { t, i18n } = useTranslation('admin');
  const count = (name: 'imported' | 'updated' | 'duplicates' | 'rejected'): Column<Import> => ({
    key: name,
    header: t(`import.count.${name}`),
    align: 'end',
    render: (one) => (isGain(name) && keepsNothing(one.state) ? '–' : formatCount(one[name])),
  });
  return [
    {
      key: 'file',
      header: t('import.history.file'),
      primary: true,
      render: ({ id, file_name }) => (
        <Link className="ds-link" to="/admin/dashboard/imports/$id" params={{ id }}>
          {file_name ?? t('import.no_name')}
        </Link>
      ),
    },
    {
      key: 'state',
      header: t('import.history.state'),
      render: ({ state }) => <StateTag state={state} />,
    },
    {
      key: 'when',
      header: t('import.history.when'),
      render: ({ created_at }) => (
        <time dateTime={created_at}>{formatDateTime(created_at, i18n.language)}</time>
      ),
    },
    {
      key: 'who',
      header: t('import.history.who'),
      render: ({ imported_by }) => <span className={styles.who}>{imported_by}</span>,
    },
    count('imported'),
    count('updated'),
    count('duplicates'),
    count('rejected'),
  ];
}
