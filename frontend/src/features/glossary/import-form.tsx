import { Alert, Button, Textfield } from '@digdir/designsystemet-react';
import type { GlossaryFault, GlossaryImportResponse } from '@proveklar/contract/glossary.ts';
import { MAX_GLOSSARY_ENTRIES } from '@proveklar/contract/limits.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { DialogActions } from '#components/app-dialog.tsx';
import { Form } from '#components/form.tsx';
import { Stack } from '#components/layout.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { glossaryKeys, importGlossary } from './api.ts';
import styles from './glossary.module.css';

const REFUSALS = ['csv_header', 'empty', 'not_csv'] as const;

/** Asks for a CSV file, and then reports what was saved and which rows were not. */
export function ImportForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File>();
  const [isMissing, setMissing] = useState(false);
  const sending = useMutation({
    mutationFn: importGlossary,
    onSettled: () => queryClient.invalidateQueries({ queryKey: glossaryKeys.all }),
  });
  if (sending.data) return <Outcome result={sending.data} onClose={onClose} />;

  const { error } = sending;
  const refusal =
    error instanceof ApiError && error.code === 'import_refused'
      ? REFUSALS.find((reason) => reason === error.details.reason)
      : undefined;
  return (
    <Form
      submit={t('glossary.import.action')}
      busy={sending.isPending}
      onCancel={onClose}
      faults={isMissing ? { file } : undefined}
      attempt={sending.submittedAt}
      error={
        error &&
        (refusal
          ? t(`glossary.import.refused.${refusal}`)
          : t('glossary.failed.import', { reason: errorText(error) }))
      }
      onSubmit={() => {
        setMissing(file === undefined);
        if (file) sending.mutate(file);
      }}
    >
      <p>{t('glossary.import.text')}</p>
      <p>{t('glossary.import.columns')}</p>
      <Textfield
        label={t('glossary.import.file')}
        type="file"
        accept=".csv,text/csv"
        error={isMissing && t('glossary.import.no_file')}
        onChange={({ currentTarget }) => {
          setFile(currentTarget.files?.[0]);
          setMissing(false);
          sending.reset();
        }}
      />
    </Form>
  );
}

function Outcome({ result, onClose }: { result: GlossaryImportResponse; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const { created, updated, unchanged, rejected } = result;
  // The button that had the focus has disappeared.
  const said = useRef<HTMLDivElement>(null);
  useEffect(() => said.current?.focus(), []);
  return (
    <Stack gap={4}>
      <Alert
        ref={said}
        tabIndex={-1}
        data-color={rejected.length > 0 ? 'warning' : 'success'}
        data-size="sm"
      >
        <p>
          {t('glossary.import.created', { count: created })}{' '}
          {t('glossary.import.updated', { count: updated })}{' '}
          {t('glossary.import.unchanged', { count: unchanged })}
        </p>
        {rejected.length > 0 && <p>{t('glossary.import.rejected', { count: rejected.length })}</p>}
      </Alert>
      {rejected.length > 0 && <Rejected rows={rejected} />}
      <DialogActions>
        <Button onClick={onClose}>{t('glossary.import.done')}</Button>
      </DialogActions>
    </Stack>
  );
}

function Rejected({ rows }: { rows: readonly GlossaryFault[] }) {
  const { t } = useTranslation('admin');
  const columns: Column<GlossaryFault>[] = [
    { key: 'row', header: t('glossary.import.row'), align: 'end', render: ({ row }) => row },
    {
      key: 'word',
      header: t('glossary.field.word'),
      primary: true,
      render: ({ word }) => <span lang="nb">{word || '–'}</span>,
    },
    {
      key: 'reason',
      header: t('glossary.import.reason'),
      render: ({ field, reason, value }) => {
        const column = field === '' ? '' : t('glossary.import.column', { field });
        return `${column}${t(`glossary.import.fault.${reason}`, { value, max: MAX_GLOSSARY_ENTRIES })}`;
      },
    },
  ];
  return (
    <div className={styles.rejected}>
      <DataTable
        caption={t('glossary.import.rejected_rows')}
        columns={columns}
        rows={rows}
        rowKey={({ row }) => row}
      />
    </div>
  );
}
