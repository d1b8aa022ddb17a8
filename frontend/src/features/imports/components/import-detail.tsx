import { ArrowLeftIcon } from '@navikt/aksel-icons';
import type { Import } from '@proveklar/contract/imports.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { importQuery } from '../api.ts';
import { fileFormat } from '../file-format.ts';
import { isReading } from '../import-state.ts';
import { stopUpload, type Upload, useUpload } from '../upload/upload.ts';
import { ImportDetails } from './import-details.tsx';
import { UploadFailed } from './upload-failed.tsx';

/** By then the first bytes have arrived as a rule, and most small files are there altogether. */
const FIRST_READ_MS = 1_000;

/** One import: how far it has come, how it ended, and what can be done with it. */
export function ImportDetail() {
  const { id } = useParams({ from: '/identified/admin/dashboard/imports/$id' });
  // Figures of the one before would make the pace of the next.
  return <OneImport key={id} id={id} />;
}

function OneImport({ id }: { id: string }) {
  const { t } = useTranslation('admin');
  const upload = useUpload();
  const own = upload?.id === id ? upload : undefined;
  const isSending = own !== undefined && own.error === undefined;
  const isAsked = useIsOver(FIRST_READ_MS) || !isSending;
  const query = useQuery({
    ...importQuery(id, isSending),
    enabled: isAsked,
    retry: (failures, error) => failures < 2 && !isUnknown(error),
  });
  const known = query.data ?? (isSending ? notYetKnown(own) : undefined);

  // A file that was refused after its first bytes need not be sent to its end.
  const isOver = isSending && query.data !== undefined && !isReading(query.data.state);
  useEffect(() => {
    if (isOver) stopUpload();
  }, [isOver]);

  const name = known?.file_name ?? own?.file.name ?? t('import.one_title');
  return (
    <AdminScreen title={name} actions={<BackButton />}>
      {own?.error !== undefined ? (
        <UploadFailed upload={own} />
      ) : known ? (
        <ImportDetails one={known} readAt={query.dataUpdatedAt} isSending={isSending} />
      ) : (
        <NotThere query={query} />
      )}
    </AdminScreen>
  );
}

function useIsOver(ms: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isOver;
}

function BackButton() {
  const { t } = useTranslation('admin');
  return (
    <ButtonLink to="/admin/dashboard" variant="tertiary" data-size="sm">
      <ArrowLeftIcon aria-hidden />
      {t('import.all_imports')}
    </ButtonLink>
  );
}

/** Its address is known before the first bytes arrive, or somebody made it up. */
function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

type NotThereProps = {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown };
};

function NotThere({ query: { error, isFetching, refetch } }: NotThereProps) {
  const { t } = useTranslation('admin');
  const { t: tc } = useTranslation();
  const errorText = useErrorText();
  if (!error) return <SkeletonLines label={tc('app.loading')} lines={6} />;
  const unknown = isUnknown(error);
  return (
    <RetryAlert busy={isFetching} onRetry={unknown ? undefined : () => void refetch()}>
      {unknown ? t('import.unknown') : errorText(error)}
    </RetryAlert>
  );
}

/** What can be shown of an import before the first of its bytes has arrived. */
function notYetKnown({ id, file, options, startedAt }: Upload): Import {
  return {
    id,
    state: 'receiving',
    dry_run: options.dryRun,
    on_duplicate: options.onDuplicate,
    format: fileFormat(file.name) ?? 'json',
    file_name: file.name,
    imported_by: '',
    created_at: startedAt,
    received_at: null,
    ended_at: null,
    bytes_total: file.size,
    bytes_received: 0,
    bytes_done: 0,
    rows: 0,
    imported: 0,
    updated: 0,
    duplicates: 0,
    rejected: 0,
    not_offered: [],
    refusal: null,
    is_removed: false,
    undone_by: null,
    near_duplicates: null,
  };
}
