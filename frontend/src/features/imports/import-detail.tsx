import { Alert, Button } from '@digdir/designsystemet-react';
import { ArrowLeftIcon } from '@navikt/aksel-icons';
import type { Import } from '@proveklar/contract/imports.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { ButtonLink } from '#components/link.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { formatShortDateTime } from '#lib/format-compact.ts';
import { fileFormat, importQuery } from './api.ts';
import { formatBytes, formatCount, useDurationText } from './format-amounts.ts';
import { ImportActions } from './import-actions.tsx';
import styles from './import-detail.module.css';
import { ImportOutcome } from './import-outcome.tsx';
import { Counts, ImportProgress } from './import-progress.tsx';
import { PausedUpload } from './paused-upload.tsx';
import { isReading, keepsNothing, StateTag } from './import-state.tsx';
import { RowReport } from './row-report.tsx';
import { SimilarQuestions } from './similar-questions.tsx';
import { startUpload, stopUpload, type Upload, useUpload } from './upload.ts';

/** By then the first bytes have usually arrived, and most small files entirely. */
const FIRST_READ_DELAY_MS = 1_000;

/** One import: its progress or result, and the actions for it. */
export function ImportDetail() {
  const { id } = useParams({ from: '/identified/admin/dashboard/imports/$id' });
  // The key resets the measured speed for another import.
  return <OneImport key={id} id={id} />;
}

function OneImport({ id }: { id: string }) {
  const { t } = useTranslation('admin');
  const upload = useUpload();
  const own = upload?.id === id ? upload : undefined;
  const isSending = own !== undefined && own.error === undefined;
  const isAsked = useIsOver(FIRST_READ_DELAY_MS) || !isSending;
  const query = useQuery({
    ...importQuery(id, isSending),
    enabled: isAsked,
    retry: (failures, error) => failures < 2 && !isUnknown(error),
  });
  const known = query.data ?? (isSending ? notYetKnown(own) : undefined);

  // A file that was refused after its first bytes need not be sent completely.
  const isOver = isSending && query.data !== undefined && !isReading(query.data.state);
  useEffect(() => {
    if (isOver) stopUpload();
  }, [isOver]);

  const name = known?.file_name ?? own?.file.name ?? t('import.one_title');
  return (
    <AdminScreen title={name} actions={<BackButton />}>
      {own?.error !== undefined && <UploadFailed upload={own} />}
      {known && (own?.error === undefined || known.state === 'paused') ? (
        <ImportDetails
          one={known}
          readAt={query.dataUpdatedAt}
          upload={isSending ? own : undefined}
        />
      ) : own?.error === undefined ? (
        <NotThere query={query} />
      ) : null}
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

/** Whether the import does not exist: its first bytes have not arrived, or the address is wrong. */
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

/** A placeholder for an import whose first bytes have not arrived. */
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
    repeated: 0,
    differing: 0,
    warned: 0,
    cleaned: 0,
    read_at: null,
    columns: null,
    not_offered: [],
    refusal: null,
    is_removed: false,
    undone_by: null,
    resumable_until: null,
    is_report_deleted: false,
    near_duplicates: null,
  };
}

/** Shown when the upload failed or was refused. Nothing of the file is imported. */
function UploadFailed({ upload: { file, options, error } }: { upload: Upload }) {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const hasChanged = error instanceof ApiError && error.code === 'file_changed';

  function again() {
    const id = startUpload(file, options);
    void navigate({ to: '/admin/dashboard/imports/$id', params: { id }, replace: true });
  }
  function chooseAnother() {
    stopUpload();
    void navigate({ to: '/admin/dashboard' });
  }

  return (
    <Alert data-color="danger" role="alert">
      <div className={styles.failed}>
        <h2>
          {hasChanged
            ? t('import.file_changed_title')
            : t('import.failed_status', { status: statusText(error) })}
        </h2>
        <p>{hasChanged ? t('import.file_changed') : errorText(error)}</p>
        <p>{t('import.outcome.nothing_kept')}</p>
        <div className={styles.buttons}>
          {!hasChanged && <Button onClick={again}>{t('import.send_again')}</Button>}
          <Button variant="secondary" onClick={chooseAnother}>
            {t('import.choose_other')}
          </Button>
        </div>
      </div>
    </Alert>
  );
}

type ImportDetailsProps = {
  one: Import;
  /** When it was read (milliseconds since 1970). */
  readAt: number;
  /** When this page sends the file. */
  upload: Upload | undefined;
};

function ImportDetails({ one, readAt, upload }: ImportDetailsProps) {
  return (
    <>
      <About one={one} />
      {isReading(one.state) ? (
        <ImportProgress one={one} readAt={readAt} upload={upload} />
      ) : (
        <ImportOutcome one={one} />
      )}
      {one.state === 'paused' && !upload && <PausedUpload one={one} />}
      {!isReading(one.state) && <Result one={one} />}
      <ImportActions one={one} />
      {!isReading(one.state) && <RowReport one={one} />}
      {one.near_duplicates && <SimilarQuestions id={one.id} search={one.near_duplicates} />}
    </>
  );
}

function About({ one }: { one: Import }) {
  const { t, i18n } = useTranslation('admin');
  const facts = [
    formatShortDateTime(one.created_at, i18n.language),
    one.imported_by,
    one.format.toUpperCase(),
    one.bytes_total === null ? '' : formatBytes(one.bytes_total),
    t(`import.duplicates_are.${one.on_duplicate}`),
    one.dry_run ? t('import.dry_run') : '',
  ].filter((fact) => fact !== '');
  return (
    <div className={styles.about}>
      <StateTag state={one.state} />
      <ul>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </div>
  );
}

/** The numbers of rows, and how long the import took. */
function Result({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const durationText = useDurationText();
  // The numbers of an aborted import would mean nothing.
  if (one.rows === 0 || (keepsNothing(one.state) && one.state !== 'discarded')) return null;
  // Until the whole file had been read: deciding about a trial run, and undoing, take as long as they take.
  const end = one.read_at ?? (one.state === 'completed' ? one.ended_at : null);
  const seconds =
    end === null ? null : Math.max(0.001, (Date.parse(end) - Date.parse(one.created_at)) / 1000);
  const took = seconds === null ? '–' : durationText(seconds);
  const rate = seconds === null ? '–' : formatCount(one.rows / Math.max(1, seconds));
  return (
    <Counts
      one={one}
      pace={[
        { label: t('import.rate'), value: rate },
        { label: t('import.took'), value: took },
      ]}
    />
  );
}
