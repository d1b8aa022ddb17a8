import { Alert, Button, ToggleGroup } from '@digdir/designsystemet-react';
import { DownloadIcon } from '@navikt/aksel-icons';
import type { Import, ImportRow, RowFilter } from '@proveklar/contract/imports.ts';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { languageInWords } from '#lib/question-language.ts';
import { useShowMore } from '#lib/use-focus.ts';
import { downloadRejected, downloadReport, importRowsQuery, isWorkbook } from './api.ts';
import { formatCount } from './format-amounts.ts';
import styles from './import-detail.module.css';
import { countNotOffered } from './import-state.tsx';
import { RowDecision } from './row-decision.tsx';
import { useFieldName } from './use-field-name.ts';

type Filter = Exclude<RowFilter, 'duplicate'>;
const FILTERS: readonly Filter[] = [
  'rejected',
  'differing',
  'warned',
  'repeated',
  'known',
  'updated',
];

/** The number of rows in the report for each filter. A gateway of the previous version counts fewer kinds. */
function countsOf(one: Import): Record<Filter, number> {
  const { repeated = 0, differing = 0, warned = countNotOffered(one) } = one as Partial<Import>;
  return {
    rejected: one.rejected,
    differing,
    warned,
    repeated,
    known: one.duplicates - repeated - differing,
    updated: one.updated,
  };
}

/** The rows that were not simply imported, and why. Renders nothing if all were. */
export function RowReport({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const counts = countsOf(one);
  const present = FILTERS.filter((filter) => counts[filter] > 0);
  const [chosen, setChosen] = useState<Filter>();
  const outcome = present.find((candidate) => candidate === chosen) ?? present[0];
  if (!outcome) return null;
  if (one.is_report_deleted) return <p className={styles.lead}>{t('import.report.deleted')}</p>;
  return (
    <section className={styles.report} aria-labelledby="import-report">
      <div className={styles.head}>
        <h2 id="import-report">{t('import.report.title')}</h2>
        <Downloads one={one} />
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
      {hasLead(outcome) && <p className={styles.lead}>{t(`import.report.${outcome}_lead`)}</p>}
      <Rows key={outcome} one={one} outcome={outcome} />
    </section>
  );
}

const hasLead = (outcome: Filter): outcome is 'rejected' | 'differing' | 'warned' =>
  outcome === 'rejected' || outcome === 'differing' || outcome === 'warned';

type RowsProps = { one: Import; outcome: Filter };

function Rows({ one, outcome }: RowsProps) {
  const { t } = useTranslation('admin');
  const { t: tc } = useTranslation();
  const errorText = useErrorText();
  const found = useInfiniteQuery(importRowsQuery(one.id, outcome));
  const { list, showMore } = useShowMore<HTMLDivElement>(found.fetchNextPage);
  const rows = found.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      {found.isPending && <SkeletonLines label={tc('app.loading')} lines={5} />}
      {rows.length > 0 && (
        <div ref={list}>
          <RowTable rows={rows} outcome={outcome} one={one} />
        </div>
      )}
      {found.isError && (
        <RetryAlert
          busy={found.isFetching}
          onRetry={found.isFetchNextPageError ? showMore : () => void found.refetch()}
        >
          {errorText(found.error)}
        </RetryAlert>
      )}
      {found.hasNextPage && !found.isError && (
        <BusyButton variant="secondary" busy={found.isFetchingNextPage} onClick={showMore}>
          {t('import.report.more')}
        </BusyButton>
      )}
    </>
  );
}

function Downloads({ one }: { one: Import }) {
  const { t, i18n } = useTranslation('admin');
  const errorText = useErrorText();
  const report = useMutation({ mutationFn: () => downloadReport(one, i18n.language) });
  const rejected = useMutation({ mutationFn: () => downloadRejected(one, i18n.language) });
  // Closing the save dialog is not an error.
  const failed = [report.error, rejected.error].find(
    (error) => error && error.name !== 'AbortError',
  );
  const hasRejected = one.rejected + (one.differing ?? 0) > 0;
  return (
    <div className={styles.download}>
      {failed ? (
        <Alert data-color="danger" data-size="sm" role="alert">
          {errorText(failed)}
        </Alert>
      ) : null}
      {hasRejected && (
        <Button
          data-size="sm"
          loading={rejected.isPending}
          onClick={() => rejected.isPending || rejected.mutate()}
        >
          <DownloadIcon aria-hidden />
          {t('import.report.download_rejected')}
        </Button>
      )}
      <Button
        variant="secondary"
        data-size="sm"
        loading={report.isPending}
        onClick={() => report.isPending || report.mutate()}
      >
        <DownloadIcon aria-hidden />
        {t('import.report.download')}
      </Button>
    </div>
  );
}

type RowTableProps = { rows: readonly ImportRow[]; outcome: Filter; one: Import };

function RowTable({ rows, outcome, one }: RowTableProps) {
  const { t } = useTranslation('admin');
  const columns: Column<ImportRow>[] = [
    {
      key: 'row',
      header: t('import.report.row'),
      primary: true,
      render: ({ row, line }) => (
        <>
          {t('import.report.row_number', { row: formatCount(row) })}
          {typeof line === 'number' && (
            <span className={styles.line}>
              {t(`import.report.${isWorkbook(one) ? 'excel_row' : 'line'}`, {
                line: formatCount(line),
              })}
            </span>
          )}
        </>
      ),
    },
    {
      key: 'question',
      header: t('import.report.question'),
      render: (row) => <QuestionText row={row} />,
    },
    {
      key: 'what',
      header: t('import.report.what'),
      render: (row) => <What row={row} outcome={outcome} one={one} />,
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

/** The question of a row, with a link where the bank has it. */
function QuestionText({ row: { question, question_id: id } }: { row: ImportRow }) {
  const { t } = useTranslation('admin');
  if (!question && id === null) return t('import.report.no_question');
  if (id === null) return <span className={styles.text}>{question}</span>;
  return (
    <Link
      className="ds-link"
      to="/admin/dashboard/questions/$id"
      params={{ id: String(id) }}
      title={t('import.report.show_in_bank', { id })}
    >
      {question ?? t('import.report.show_in_bank', { id })}
    </Link>
  );
}

function What({ row, outcome, one }: { row: ImportRow } & Omit<RowTableProps, 'rows'>) {
  const { t } = useTranslation('admin');
  const isDry = one.dry_run;
  switch (outcome) {
    case 'rejected':
    case 'warned':
      return <Remarks row={row} />;
    case 'differing':
      return (
        <div className={styles.outcome}>
          <Sides row={row} />
          <RowDecision one={one} row={row} />
        </div>
      );
    case 'repeated':
      return t(`import.report.${isDry ? 'repeated_dry_text' : 'repeated_text'}`, {
        row: formatCount(row.repeats ?? 0),
      });
    case 'updated':
      return t(`import.report.${isDry ? 'updated_dry_text' : 'updated_text'}`);
    case 'known':
      break;
  }
  return t('import.report.known_text');
}

/** What is wrong with a row or doubtful in it, with the text that it is about. */
function Remarks({ row: { faults, warnings } }: { row: ImportRow }) {
  const { t, i18n } = useTranslation('admin');
  const fieldName = useFieldName();
  const remarks = [
    ...faults.map(({ field, reason, value }) => ({
      field,
      value,
      text: t(`import.fault.${reason}`),
    })),
    ...warnings.map(({ field, reason, value, cleaned }) => ({
      field: reason === 'one_wrong_answer' ? '' : field,
      value: reason === 'language_not_offered' ? null : value,
      text:
        cleaned && isCleanable(reason)
          ? t(`import.cleaned.${reason}`)
          : t(`import.warning.${reason}`, {
              language: languageInWords(value ?? '', i18n.language),
            }),
    })),
  ];
  return (
    <ul className={styles.faults}>
      {remarks.map(({ field, text, value }) => (
        <li key={`${field} ${text}`}>
          {field && <strong>{fieldName(field)}</strong>} {text}
          {value ? <q className={styles.value}>{value}</q> : null}
        </li>
      ))}
    </ul>
  );
}

const CLEANABLE = ['mojibake', 'markup', 'invisible', 'topic_case'] as const;
type Reason = ImportRow['warnings'][number]['reason'];

const isCleanable = (reason: Reason): reason is (typeof CLEANABLE)[number] =>
  CLEANABLE.some((known) => known === reason);

/** The options of a row beside those of the question that has its text. */
function Sides({ row: { differs, repeats } }: { row: ImportRow }) {
  const { t } = useTranslation('admin');
  if (!differs) return null;
  const sides = [
    { name: t('import.report.in_file'), options: differs.row },
    {
      name:
        repeats === null
          ? t('import.report.in_bank')
          : t('import.report.in_row', { row: formatCount(repeats) }),
      options: differs.known,
    },
  ];
  return (
    <dl className={styles.sides}>
      {sides.map(({ name, options }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{t('import.report.answer', { answer: options?.answer ?? '–' })}</dd>
          <dd>
            {t('import.report.incorrect', { answers: options?.incorrect.join(' · ') ?? '–' })}
          </dd>
        </div>
      ))}
    </dl>
  );
}
