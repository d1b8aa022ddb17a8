import { Alert } from '@digdir/designsystemet-react';
import type { Import } from '@proveklar/contract/imports.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState } from '#components/admin/admin-screen.tsx';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { PageButtons } from '#components/admin/page-buttons.tsx';
import { ButtonLink } from '#components/link.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatShortDateTime } from '#lib/format-compact.ts';
import { useSession } from '#lib/session.ts';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import { type ImportOptions, IMPORTS_PER_PAGE, importsQuery, pausedOf } from './api.ts';
import { formatCount } from './format-amounts.ts';
import { ImportForm } from './import-form.tsx';
import { ProgressBar } from './import-progress.tsx';
import { isReading, keepsNothing, StateTag } from './import-state.tsx';
import styles from './imports.module.css';
import { resumeUpload, startUpload, type Upload, useUpload } from './upload.ts';

/** The page to import a file, with the list of earlier imports. */
export function ImportScreen() {
  const { t } = useTranslation('admin');
  const navigate = useNavigate();
  const [{ page = 1 }, show] = useScreenSearch('/admin/dashboard/');
  const upload = useUpload();
  const { user } = useSession();
  const { data } = useQuery(importsQuery(1));
  const own = user?.email?.toLowerCase();
  const paused = data ? pausedOf(data).filter(({ imported_by: by }) => by === own) : [];

  function resume(one: Import, file: File) {
    const id = resumeUpload(one, file);
    void navigate({ to: '/admin/dashboard/imports/$id', params: { id } });
  }
  function begin(file: File, options: ImportOptions) {
    const id = startUpload(file, options);
    void navigate({ to: '/admin/dashboard/imports/$id', params: { id } });
  }

  return (
    <AdminScreen title={t('shell.tab.import')} lead={t('import.lead')}>
      <RunningImports />
      {/* One file at a time: two would share the line and take as long. */}
      {upload && !upload.error ? (
        <SendingNow upload={upload} />
      ) : (
        <ImportForm paused={paused} onImport={begin} onResume={resume} />
      )}
      <ImportHistory page={page} onPage={(next) => show(next === 1 ? {} : { page: next })} />
    </AdminScreen>
  );
}

/** Shown while this page uploads a file. */
function SendingNow({ upload: { id, file } }: { upload: Upload }) {
  const { t } = useTranslation('admin');
  return (
    <Alert data-color="info" data-size="sm">
      {t('import.sending_now', { name: file.name })}{' '}
      <Link className="ds-link" to="/admin/dashboard/imports/$id" params={{ id }}>
        {t('import.show')}
      </Link>
    </Alert>
  );
}

/** Running imports, and dry runs that wait for a decision, of all administrators. */
function RunningImports() {
  const { t } = useTranslation('admin');
  const { data } = useQuery(importsQuery(1));
  const shown = data?.imports.filter(({ state }) => isReading(state) || state === 'checked') ?? [];
  if (shown.length === 0) return null;
  return (
    <section className={styles.running} aria-labelledby="import-running">
      <h2 id="import-running">{t('import.running_title')}</h2>
      <ul>
        {shown.map((one) => (
          <RunningImport key={one.id} one={one} />
        ))}
      </ul>
    </section>
  );
}

const BUTTONS: Partial<Record<Import['state'], 'decide' | 'go_on'>> = {
  checked: 'decide',
  paused: 'go_on',
};

function RunningImport({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const name = one.file_name ?? t('import.no_name');
  const isPaused = one.state === 'paused';
  return (
    <li className={styles.one}>
      <div className={styles.name}>
        <strong>{name}</strong> <StateTag state={one.state} />
      </div>
      {isReading(one.state) && (
        <ProgressBar
          label={t(isPaused ? 'import.sent' : 'import.processed')}
          bytes={isPaused ? one.bytes_received : one.bytes_done}
          total={one.bytes_total}
        />
      )}
      {isPaused && <p className={styles.note}>{t('import.resume.title')}</p>}
      {one.state === 'checked' && <p className={styles.note}>{t('import.trial_waits')}</p>}
      <ButtonLink
        to="/admin/dashboard/imports/$id"
        params={{ id: one.id }}
        variant="secondary"
        data-size="sm"
        aria-label={t('import.show_one', { name })}
      >
        {t(`import.${BUTTONS[one.state] ?? 'show'}`)}
      </ButtonLink>
    </li>
  );
}

type ImportHistoryProps = { page: number; onPage: (page: number) => void };

/** All imports, the newest first: file, administrator, time and result. */
function ImportHistory({ page, onPage }: ImportHistoryProps) {
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

/** Whether the count is of added questions, not of rows in the file. */
function isGain(name: string): boolean {
  return name === 'imported' || name === 'updated';
}

/** Whether nothing of it is in the bank: a trial run, or one that ended or was undone. */
function addedNothing({ state, dry_run }: Import): boolean {
  return dry_run || keepsNothing(state) || state === 'undoing' || state === 'undone';
}

function useColumns(): Column<Import>[] {
  const { t, i18n } = useTranslation('admin');
  const count = (name: 'imported' | 'updated' | 'duplicates' | 'rejected'): Column<Import> => ({
    key: name,
    header: t(`import.count.${name}`),
    align: 'end',
    render: (one) => (isGain(name) && addedNothing(one) ? '–' : formatCount(one[name])),
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
      render: ({ state, dry_run }) => (
        <>
          <StateTag state={state} />
          {dry_run && <span className={styles.trial}>{t('import.trial_tag')}</span>}
        </>
      ),
    },
    {
      key: 'when',
      header: t('import.history.when'),
      render: ({ created_at }) => (
        <time dateTime={created_at}>{formatShortDateTime(created_at, i18n.language)}</time>
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
