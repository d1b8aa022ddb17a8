import { Alert, Field, Label, Select } from '@digdir/designsystemet-react';
import type { ImportPreview } from '@proveklar/contract/imports.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { previewQuery, type TableChoices } from './api.ts';
import { RefusalText } from './import-outcome.tsx';
import styles from './imports.module.css';
import { useFieldName } from './use-field-name.ts';

type FilePreviewProps = {
  file: File;
  choices: TableChoices;
  onChoose: (choices: TableChoices) => void;
};

/** How a chosen file would be read: the field of each column, and the first rows. */
export function FilePreview({ file, choices, onChoose }: FilePreviewProps) {
  const { t } = useTranslation('admin');
  const { t: tc } = useTranslation();
  const preview = useQuery(previewQuery(file, choices));
  if (preview.isPending) return <SkeletonLines label={tc('app.loading')} lines={4} />;
  if (preview.isError) {
    return <NoPreview error={preview.error} busy={preview.isFetching} again={preview.refetch} />;
  }
  const { columns, sheets, missing, rows } = preview.data;
  return (
    <section className={styles.preview} aria-labelledby="import-preview">
      <h2 id="import-preview">{t('import.preview.title')}</h2>
      {sheets.length > 1 && (
        <Field>
          <Label>{t('import.preview.sheet')}</Label>
          <Select
            value={choices.sheet ?? sheets[0]}
            onChange={(event) => onChoose({ sheet: event.currentTarget.value })}
          >
            {sheets.map((name) => (
              <Select.Option key={name} value={name}>
                {name}
              </Select.Option>
            ))}
          </Select>
        </Field>
      )}
      {columns && (
        <Mapping preview={preview.data} columns={columns} choices={choices} onChoose={onChoose} />
      )}
      <Missing missing={missing} />
      {columns?.encoding === 'windows-1252' && <p>{t('import.preview.windows_1252')}</p>}
      {rows.length === 0 ? (
        <p>{t('import.preview.no_rows')}</p>
      ) : (
        <FirstRows rows={rows} isBusy={preview.isPlaceholderData} />
      )}
    </section>
  );
}

type NoPreviewProps = { error: unknown; busy: boolean; again: () => unknown };

function NoPreview({ error, busy, again }: NoPreviewProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  if (error instanceof ApiError && error.code === 'import_refused') {
    return (
      <Alert data-color="danger" role="alert">
        <RefusalText refusal={error.details} />
      </Alert>
    );
  }
  return (
    <RetryAlert busy={busy} onRetry={() => void again()}>
      {t('import.preview.failed', { reason: errorText(error) })}
    </RetryAlert>
  );
}

function Missing({ missing }: { missing: readonly string[] }) {
  const { t } = useTranslation('admin');
  const fieldName = useFieldName();
  return (
    <div role="status">
      {missing.length > 0 && (
        <Alert data-color="warning" data-size="sm">
          {t('import.preview.missing', { columns: missing.map(fieldName).join(', ') })}
        </Alert>
      )}
    </div>
  );
}

type Columns = NonNullable<ImportPreview['columns']>;
type MappingProps = Omit<FilePreviewProps, 'file'> & { preview: ImportPreview; columns: Columns };

/** The field of each column, which the user may change. */
function Mapping({ preview, columns, choices, onChoose }: MappingProps) {
  const { t } = useTranslation('admin');
  const fieldName = useFieldName();
  const fields = columns.fields.map((field) => field ?? '');
  // It does not close while the last column is being chosen.
  const [isOpenAtFirst] = useState(fields.includes('') || preview.missing.length > 0);
  const choose = (place: number, field: string) => {
    // A field is one column.
    const next = fields.map((known, at) => (at === place ? field : known === field ? '' : known));
    onChoose({ ...choices, columns: next });
  };
  return (
    <details className={styles.details} open={isOpenAtFirst}>
      <summary>{t('import.preview.columns')}</summary>
      <ul className={styles.mapping}>
        {columns.headings.map((heading, place) => (
          // Headings may repeat; the order never changes.
          // oxlint-disable-next-line no-array-index-key
          <li key={place}>
            <Field>
              <Label>{heading || t('import.preview.column', { number: place + 1 })}</Label>
              <Select
                data-size="sm"
                value={fields[place]}
                onChange={(event) => choose(place, event.currentTarget.value)}
              >
                <Select.Option value="">{t('import.preview.unused')}</Select.Option>
                {preview.fields.map((field) => (
                  <Select.Option key={field} value={field}>
                    {fieldName(field)}
                  </Select.Option>
                ))}
              </Select>
            </Field>
          </li>
        ))}
      </ul>
    </details>
  );
}

type Row = ImportPreview['rows'][number];

function FirstRows({ rows, isBusy }: { rows: readonly Row[]; isBusy: boolean }) {
  const { t } = useTranslation('admin');
  const fieldName = useFieldName();
  const text = (key: 'topic' | 'answer' | 'language'): Column<Row> => ({
    key,
    header: fieldName(key),
    render: (row) => row[key] ?? '–',
  });
  const columns: Column<Row>[] = [
    {
      key: 'question',
      header: fieldName('question'),
      primary: true,
      render: ({ question }) => question ?? '–',
    },
    text('answer'),
    {
      key: 'incorrect',
      header: fieldName('incorrect'),
      render: ({ incorrect }) => incorrect.join(' · ') || '–',
    },
    text('topic'),
    text('language'),
    {
      key: 'faults',
      header: t('import.preview.faults'),
      render: ({ faults }) =>
        faults
          .map(({ field, reason }) => `${fieldName(field)} ${t(`import.fault.${reason}`)}`.trim())
          .join('. ') || t('import.preview.fine'),
    },
  ];
  return (
    <DataTable
      caption={t('import.preview.title')}
      columns={columns}
      rows={rows}
      rowKey={({ row }) => row}
      busy={isBusy}
    />
  );
}
