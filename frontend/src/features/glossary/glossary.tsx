import { Button } from '@digdir/designsystemet-react';
import { DownloadIcon, PlusIcon, UploadIcon } from '@navikt/aksel-icons';
import { BANK_GLOSSARY, type GlossaryEntry } from '@proveklar/contract/glossary.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState } from '#components/admin/admin-screen.tsx';
import { confirmAction } from '#components/admin/confirm-action.tsx';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { TypedFilter } from '#components/admin/filters.tsx';
import { notify } from '#components/admin/notify.ts';
import { PageButtons } from '#components/admin/page-buttons.tsx';
import { AppDialog } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { Stack } from '#components/layout.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { formatCount, formatShortDate } from '#lib/format-compact.ts';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import {
  applyBankGlossary,
  deleteEntry,
  exportGlossary,
  glossaryKeys,
  glossaryQuery,
  type GlossarySearch,
  undoGlossary,
} from './api.ts';
import { EntryForm } from './entry-form.tsx';
import { ImportForm } from './import-form.tsx';
import styles from './glossary.module.css';

/** Which dialog is open: an entry to change, a new one, or the import. */
type Open = GlossaryEntry | 'new' | 'import' | undefined;

/** The hard words that learners can have explained: the list, and what can be done with it. */
export function GlossaryScreen() {
  const { t, i18n } = useTranslation('admin');
  const statusText = useStatusText();
  const [{ search = '', page = 1 }, show] = useScreenSearch('/admin/dashboard/glossary');
  const [open, setOpen] = useState<Open>();
  const found = useQuery(glossaryQuery({ search, page }));
  const top = useRef<HTMLDivElement>(null);
  const { entries = [], total = 0, page_size: size = 1 } = found.data ?? {};
  const pages = Math.ceil(total / size);
  const close = () => setOpen(undefined);

  const find = (wanted: string) => show(wanted ? { search: wanted } : {}, { replace: true });
  const goTo = useCallback(
    (next: number, replace = false) =>
      show(
        { ...(search && { search }), ...(next > 1 && { page: next }) } satisfies GlossarySearch,
        { replace },
      ),
    [search, show],
  );
  // The page no longer exists: its words were deleted, or the link is old.
  const isBeyond = found.isSuccess && !found.isPlaceholderData && total > 0 && page > pages;
  useEffect(() => {
    if (isBeyond) goTo(pages, true);
  }, [isBeyond, goTo, pages]);

  return (
    <AdminScreen
      title={t('glossary.title')}
      lead={t('glossary.lead')}
      actions={
        <Actions
          canExport={total > 0}
          canUndo={entries.some(({ updated_by }) => updated_by === BANK_GLOSSARY)}
          onOpen={setOpen}
        />
      }
    >
      <search ref={top} className={styles.search}>
        <TypedFilter label={t('glossary.search')} value={search} onChange={find} />
      </search>
      <p role="status" className={styles.total}>
        {found.data &&
          t(search ? 'glossary.total_match' : 'glossary.total', {
            count: total,
            n: formatCount(total, i18n.language),
          })}
      </p>
      {found.isPending && <SkeletonLines label={t('glossary.loading')} lines={8} />}
      {found.isError && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('glossary.failed.fetch', { status: statusText(found.error) })}
        </RetryAlert>
      )}
      {found.data && total === 0 && (
        <NoEntries search={search} onClear={() => find('')} onOpen={setOpen} />
      )}
      {entries.length > 0 && (
        <Stack gap={5}>
          <EntryTable entries={entries} busy={found.isPlaceholderData} onEdit={setOpen} />
          <PageButtons
            page={page}
            pages={pages}
            onPage={(next) => {
              goTo(next);
              top.current?.scrollIntoView({ block: 'start' });
            }}
          />
        </Stack>
      )}
      <AppDialog
        open={open !== undefined}
        title={
          typeof open === 'object'
            ? t('glossary.edit_which', { word: open.word })
            : t(open === 'import' ? 'glossary.import.title' : 'glossary.add')
        }
        onClose={close}
      >
        {open === 'import' && <ImportForm onClose={close} />}
        {open === 'new' && <EntryForm entry={undefined} onClose={close} />}
        {typeof open === 'object' && <EntryForm entry={open} onClose={close} />}
      </AppDialog>
    </AdminScreen>
  );
}

type ActionsProps = {
  canExport: boolean;
  /** Whether a word of our bank is shown. */
  canUndo: boolean;
  onOpen: (dialog: 'new' | 'import') => void;
};

function Actions({ canExport, canUndo, onOpen }: ActionsProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const { askToApply, askToUndo } = useBankGlossary();
  const saving = useMutation({
    mutationFn: exportGlossary,
    onError: (error) => notify(t('glossary.failed.export', { reason: errorText(error) })),
  });
  return (
    <>
      {canExport && (
        <BusyButton
          variant="secondary"
          data-size="sm"
          busy={saving.isPending}
          onClick={() => saving.isPending || saving.mutate()}
        >
          <DownloadIcon aria-hidden />
          {t('glossary.export')}
        </BusyButton>
      )}
      {canUndo && (
        <Button variant="secondary" data-size="sm" onClick={askToUndo}>
          {t('glossary.bank.undo')}
        </Button>
      )}
      <Button variant="secondary" data-size="sm" onClick={askToApply}>
        {t('glossary.bank.bring')}
      </Button>
      <Button variant="secondary" data-size="sm" onClick={() => onOpen('import')}>
        <UploadIcon aria-hidden />
        {t('glossary.import.open')}
      </Button>
      <Button data-size="sm" onClick={() => onOpen('new')}>
        <PlusIcon aria-hidden />
        {t('glossary.add')}
      </Button>
    </>
  );
}

type NoEntriesProps = {
  search: string;
  onClear: () => void;
  onOpen: (dialog: 'new' | 'import') => void;
};

function NoEntries({ search, onClear, onOpen }: NoEntriesProps) {
  const { t } = useTranslation('admin');
  return (
    <EmptyState title={t(search ? 'glossary.none_found' : 'glossary.none')}>
      <p>{search ? t('glossary.none_found_text', { search }) : t('glossary.none_text')}</p>
      {search ? (
        <Button variant="secondary" onClick={onClear}>
          {t('glossary.clear')}
        </Button>
      ) : (
        <Button variant="secondary" onClick={() => onOpen('import')}>
          {t('glossary.import.open')}
        </Button>
      )}
    </EmptyState>
  );
}

type EntryTableProps = {
  entries: readonly GlossaryEntry[];
  busy: boolean;
  onEdit: (entry: GlossaryEntry) => void;
};

function EntryTable({ entries, busy, onEdit }: EntryTableProps) {
  const { t, i18n } = useTranslation('admin');
  const askToDelete = useDelete();
  const columns: Column<GlossaryEntry>[] = [
    {
      key: 'word',
      header: t('glossary.field.word'),
      primary: true,
      render: ({ word, forms }) => (
        <span lang="nb" className={styles.word}>
          {word}
          {forms.length > 0 && <small>{forms.join(', ')}</small>}
        </span>
      ),
    },
    {
      key: 'norwegian',
      header: t('glossary.field.norwegian'),
      render: ({ norwegian }) => <span lang="nb">{norwegian}</span>,
    },
    {
      key: 'english',
      header: t('glossary.field.english'),
      render: ({ english }) => <span lang="en">{english}</span>,
    },
    {
      key: 'changed',
      header: t('glossary.changed'),
      render: ({ updated_at, updated_by }) => (
        <span className={styles.changed}>
          <time dateTime={updated_at}>{formatShortDate(updated_at, i18n.language)}</time>
          <small>{updated_by}</small>
        </span>
      ),
    },
    {
      key: 'actions',
      header: t('glossary.actions'),
      bare: true,
      render: (entry) => (
        <div className={styles.actions}>
          <Button
            variant="tertiary"
            data-size="sm"
            aria-label={t('glossary.edit_which', { word: entry.word })}
            onClick={() => onEdit(entry)}
          >
            {t('glossary.edit')}
          </Button>
          <Button
            variant="tertiary"
            data-size="sm"
            data-color="danger"
            aria-label={t('glossary.delete_which', { word: entry.word })}
            onClick={() => askToDelete(entry)}
          >
            {t('glossary.delete')}
          </Button>
        </div>
      ),
    },
  ];
  return (
    <DataTable
      caption={t('glossary.title')}
      columns={columns}
      rows={entries}
      rowKey={({ id }) => id}
      busy={busy}
    />
  );
}

/** Applies the glossary of our bank, or undoes it, after a confirmation. */
function useBankGlossary() {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries({ queryKey: glossaryKeys.all });
  const askToApply = () =>
    confirmAction({
      title: t('glossary.bank.bring_title'),
      body: <p>{t('glossary.bank.bring_text')}</p>,
      action: t('glossary.bank.bring'),
      tone: 'primary',
      run: applyBankGlossary,
      onDone: ({ created, updated, kept }) => {
        notify(
          [
            t('glossary.import.created', { count: created }),
            t('glossary.import.updated', { count: updated }),
            t('glossary.import.unchanged', { count: kept }),
          ].join(' '),
        );
        return reload();
      },
      describeError: (reason) => t('glossary.failed.bring', { reason }),
    });
  const askToUndo = () =>
    confirmAction({
      title: t('glossary.bank.undo_title'),
      body: <p>{t('glossary.bank.undo_text')}</p>,
      action: t('glossary.bank.undo'),
      run: undoGlossary,
      onDone: ({ deleted }) => {
        notify(t('glossary.bank.undone', { count: deleted }));
        return reload();
      },
      describeError: (reason) => t('glossary.failed.undo', { reason }),
    });
  return { askToApply, askToUndo };
}

/** Deletes an entry after a confirmation. */
function useDelete() {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  return ({ id, word }: GlossaryEntry) =>
    confirmAction({
      title: t('glossary.delete_which', { word }),
      body: <p>{t('glossary.delete_text')}</p>,
      action: t('glossary.delete_action'),
      run: () => deleteEntry(id),
      onDone: () => {
        notify(t('glossary.deleted', { word }));
        return queryClient.invalidateQueries({ queryKey: glossaryKeys.all });
      },
      describeError: (reason) => t('glossary.failed.delete', { reason }),
    });
}
