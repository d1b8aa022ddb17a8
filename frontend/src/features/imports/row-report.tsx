import { Alert, Button, ToggleGroup } from '@digdir/designsystemet-react';
import { DownloadIcon } from '@navikt/aksel-icons';
import type { Import, ImportRow, RowFilter } from '@proveklar/contract/imports.ts';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { languageInWords } from '#lib/question-language.ts';
import { downloadReport, importRowsQuery } from './api.ts';
import { formatCount } from './format-amounts.ts';
import styles from './import-detail.module.css';
import { countNotOffered } from './import-state.tsx';

const FILTERS: readonly RowFilter[] = ['rejected', 'warned', 'duplicate', 'updated'];

/** The number of rows in the report for each filter. */
const countsOf = (one: Import): Record<RowFilter, number> => ({
  rejected: one.rejected,
  warned: countNotOffered(one),
  duplicate: one.duplicates,
  updated: one.updated,
});

/** The rows that were not simply imported, and why. Renders nothing if all were. */
export function RowReport({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const counts = countsOf(one);
  const present = FILTERS.filter((filter) => counts[filter] > 0);
  const [chosen, setChosen] = useState<RowFilter>();
  const outcome = present.find((candidate) => candidate === chosen) ?? present[0];
  if (!outcome) return null;
  return (
    <section className={styles.report} aria-labelledby="import-report">
      <div className={styles.head}>
        <h2 id="import-report">{t('import.report.title')}</h2>
        <Download one={one} />
      </div>
      <ToggleGroup
        className={styles.outcomes}
        value={outcome}
        onChange={(value) => setChosen(FILTERS.find((known) => known === value))}
        data-toggle-group={t('import.report.show')}
      >
        {present.map((name) => (
          <ToggleGroup.Item key={name} value={name}>
            {t(`import.report.${name}`)} <span>{formatCount(counts[name])}</span>
          </ToggleGroup.Item>
        ))}
      </ToggleGroup>
      <Rows key={outcome} id={one.id} outcome={outcome} />
    </section>
  );
}

function Rows({ id, outcome }: { id: string; outcome: RowFilter }) {
  const { t } = useTranslation('admin');
  const { t: tc } = useTranslation();
  const errorText = useErrorText();
  const found = useInfiniteQuery(importRowsQuery(id, outcome));
  const rows = found.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      {found.isPending && <SkeletonLines label={tc('app.loading')} lines={5} />}
      {rows.length > 0 && <RowTable rows={rows} outcome={outcome} />}
      {found.isError && (
        <RetryAlert
          busy={found.isFetching}
          onRetry={() => void (found.data ? found.fetchNextPage() : found.refetch())}
        >
          {errorText(found.error)}
        </RetryAlert>
      )}
      {found.hasNextPage && !found.isError && (
        <BusyButton
          variant="secondary"
          busy={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          {t('import.report.more')}
        </BusyButton>
      )}
    </>
  );
}

function Download({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const download = useMutation({ mutationFn: downloadReport });
  // Closing the save dialog is not an error.
  const failed = download.error && download.error.name !== 'AbortError';
  return (
    <div className={styles.download}>
      {failed ? (
        <Alert data-color="danger" data-size="sm" role="alert">
          {errorText(download.error)}
        </Alert>
      ) : null}
      <Button
        variant="secondary"
        data-size="sm"
        loading={download.isPending}
        onClick={() => download.isPending || download.mutate(one)}
      >
        <DownloadIcon aria-hidden />
        {t('import.report.download')}
      </Button>
    </div>
  );
}

type RowTableProps = { rows: readonly ImportRow[]; outcome: RowFilter };

function RowTable({ rows, outcome }: RowTableProps) {
  const { t } = useTranslation('admin');
  const columns: Column<ImportRow>[] = [
    {
      key: 'row',
      header: t('import.report.row'),
      primary: true,
      render: ({ row }) => t('import.report.row_number', { row: formatCount(row) }),
    },
    outcome === 'rejected' || outcome === 'warned'
      ? {
          key: 'faults',
          header: t('import.report.reason'),
          render: ({ faults, warnings }) => <Faults faults={faults} warnings={warnings} />,
        }
      : {
          key: 'question',
          header: t('import.report.question'),
          render: ({ question_id }) =>
            t(`import.report.${outcome}_text`, { id: question_id ?? '–' }),
        },
  ];
  return (
    <DataTable
      caption={t(`import.report.${outcome}`)}
      columns={columns}
      rows={rows}
      rowKey={({ row }) => row}
    />
  );
}

function Faults({ faults, warnings }: Pick<ImportRow, 'faults' | 'warnings'>) {
  const { t, i18n } = useTranslation('admin');
  return (
    <ul className={styles.faults}>
      {faults.map(({ field, reason }) => (
        <li key={`${field} ${reason}`}>
          {field && <code>{field}</code>} {t(`import.fault.${reason}`)}
        </li>
      ))}
      {warnings.map(({ field, reason, value }) => (
        <li key={`${field} ${reason}`}>
          <code>{field}</code>{' '}
          {t(`import.warning.${reason}`, { language: languageInWords(value, i18n.language) })}
        </li>
      ))}
    </ul>
  );
}
