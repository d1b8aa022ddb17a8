import { Button, Textfield } from '@digdir/designsystemet-react';
import { DownloadIcon } from '@navikt/aksel-icons';
import type { AuditEntry } from '@proveklar/contract/audit.ts';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Ref, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState } from '#components/admin/admin-screen.tsx';
import { Choice, TypedFilter, withChosen } from '#components/admin/filters.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { Cluster } from '#components/layout.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { saveFile } from '#lib/save-file.ts';
import { formatMonth, formatShortDateTime } from '#lib/format-compact.ts';
import { languageName } from '#lib/question-language.ts';
import { useShowMore } from '#lib/use-focus.ts';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import { type AuditFilter, type AuditRequest, auditQuery, readAllEntries } from './api.ts';
import { AuditDetails, shortId, toCell, useDetailsText } from './audit-details.tsx';
import styles from './audit.module.css';

/** The audit log: who did what, and when. Read-only. */
export function AuditScreen() {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const [filter, show] = useScreenSearch('/admin/dashboard/audit');
  const request = { ...filter, search_actions: useActionsInWords(filter.search) };
  const audit = useInfiniteQuery(auditQuery(request));
  const { list, showMore } = useShowMore<HTMLOListElement>(audit.fetchNextPage);
  const pages = audit.data?.pages ?? [];
  const entries = pages.flatMap((page) => page.entries);

  function choose(next: AuditFilter) {
    const given = Object.entries(next).filter(([, value]) => value);
    show(Object.fromEntries(given), { replace: true });
  }
  const download = useDownload();
  const errorText = useErrorText();

  return (
    <AdminScreen
      title={t('audit.title')}
      lead={t('audit.lead')}
      actions={
        <BusyButton
          variant="secondary"
          busy={download.isPending}
          onClick={() => download.mutate(request)}
        >
          <DownloadIcon aria-hidden />
          {t('audit.download')}
        </BusyButton>
      }
    >
      <FormAlert>
        {download.isError ? t('audit.failed_download', { reason: errorText(download.error) }) : ''}
      </FormAlert>
      <AuditFilters
        filter={filter}
        actions={pages[0]?.actions ?? []}
        actors={pages[0]?.actors ?? []}
        onChange={choose}
      />
      {filter.subject && (
        <p>
          {t('audit.only_subject', { subject: shortId(filter.subject) })}{' '}
          <Link to="/admin/dashboard/audit" search={{}} className="ds-link">
            {t('audit.clear')}
          </Link>
        </p>
      )}
      {audit.isPending && <SkeletonLines label={t('audit.loading')} lines={8} />}
      {entries.length > 0 && (
        <AuditList list={list} entries={entries} busy={audit.isPlaceholderData} />
      )}
      {audit.isSuccess && entries.length === 0 && (
        <NoEntries filtered={Object.values(filter).some(Boolean)} onClear={() => choose({})} />
      )}
      {audit.isError && (
        <RetryAlert
          busy={audit.isFetching}
          onRetry={audit.isFetchNextPageError ? showMore : () => void audit.refetch()}
        >
          {t('audit.failed', { status: statusText(audit.error) })}
        </RetryAlert>
      )}
      {audit.hasNextPage && !audit.isError && (
        <Cluster gap={4} justify="center">
          <BusyButton variant="secondary" busy={audit.isFetchingNextPage} onClick={showMore}>
            {t('audit.more')}
          </BusyButton>
        </Cluster>
      )}
      {pages.length > 1 && !audit.hasNextPage && <p className={styles.end}>{t('audit.end')}</p>}
    </AdminScreen>
  );
}

/** What was done to a subject, the newest first, with a link to all of it. */
export function AuditOf({ subject }: { subject: string }) {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const audit = useInfiniteQuery(auditQuery({ subject }));
  const entries = audit.data?.pages[0]?.entries.slice(0, SHOWN_OF_ONE) ?? [];
  const failure = audit.error && (
    <RetryAlert busy={audit.isFetching} onRetry={() => void audit.refetch()}>
      {t('audit.failed', { status: statusText(audit.error) })}
    </RetryAlert>
  );
  if (!audit.data) return failure ?? <SkeletonLines label={t('audit.loading')} lines={3} />;
  if (entries.length === 0) return failure ?? <p className="muted">{t('audit.none')}</p>;
  return (
    <>
      {failure}
      <AuditList entries={entries} busy={false} />
      <p>
        <Link to="/admin/dashboard/audit" search={{ subject }} className="ds-link">
          {t('audit.see_all')}
        </Link>
      </p>
    </>
  );
}

const SHOWN_OF_ONE = 10;

const MARK = '\uFEFF';

/** Saves the entries of a filter in words, as a file that Excel with Norwegian settings opens. */
function useDownload() {
  const { t, i18n } = useTranslation('admin');
  const actionText = useActionText();
  const detailsText = useDetailsText();
  return useMutation({
    mutationFn: async (filter: AuditRequest) => {
      const entries = await readAllEntries(filter);
      const rows = [
        [
          t('audit.column.at'),
          t('audit.filter_actor'),
          t('audit.filter_action'),
          t('audit.column.details'),
        ],
        ...entries.map(({ at, actor, action, subject, details }) => [
          formatShortDateTime(at, i18n.language),
          actor,
          actionText(action, subject, details),
          detailsText(details),
        ]),
      ];
      const csv = rows.map((row) => row.map(toCell).join(';')).join('\r\n');
      const today = new Date().toISOString().slice(0, 10);
      saveFile(
        new Blob([`${MARK}${csv}\r\n`], { type: 'text/csv' }),
        `proveklar-logg-${today}.csv`,
      );
    },
  });
}

function NoEntries({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const { t } = useTranslation('admin');
  return (
    <EmptyState title={t('audit.none')}>
      <p>{t(filtered ? 'audit.none_found' : 'audit.none_yet')}</p>
      {filtered && (
        <Button variant="secondary" onClick={onClear}>
          {t('audit.clear')}
        </Button>
      )}
    </EmptyState>
  );
}

type AuditFiltersProps = {
  filter: AuditFilter;
  /** The actions that can be chosen. */
  actions: string[];
  actors: string[];
  onChange: (filter: AuditFilter) => void;
};

function AuditFilters({ filter, actions, actors, onChange }: AuditFiltersProps) {
  const { t } = useTranslation('admin');
  const actionText = useActionText();
  return (
    <search className={styles.filters} aria-label={t('audit.filter')}>
      <TypedFilter
        label={t('audit.search')}
        value={filter.search ?? ''}
        onChange={(search) => onChange({ ...filter, search })}
      />
      <Choice
        label={t('audit.filter_action')}
        value={filter.action}
        all={t('audit.all_actions')}
        options={withChosen(actions, filter.action).map((action) => [
          action,
          actionText(action, '…'),
        ])}
        onChange={(action) => onChange({ ...filter, action })}
      />
      <Choice
        label={t('audit.filter_actor')}
        value={filter.actor}
        all={t('audit.all_actors')}
        options={withChosen(actors, filter.actor).map((actor) => [actor, actor])}
        onChange={(actor) => onChange({ ...filter, actor })}
      />
      <Textfield
        type="date"
        label={t('audit.from')}
        value={filter.from ?? ''}
        max={filter.to}
        onChange={({ currentTarget }) => onChange({ ...filter, from: currentTarget.value })}
      />
      <Textfield
        type="date"
        label={t('audit.to')}
        value={filter.to ?? ''}
        min={filter.from}
        onChange={({ currentTarget }) => onChange({ ...filter, to: currentTarget.value })}
      />
    </search>
  );
}

type AuditListProps = { list?: Ref<HTMLOListElement>; entries: AuditEntry[]; busy: boolean };

function AuditList({ list, entries, busy }: AuditListProps) {
  const { t, i18n } = useTranslation('admin');
  const actionText = useActionText();
  return (
    <ol
      ref={list}
      className={styles.list}
      aria-label={t('audit.list')}
      aria-busy={busy || undefined}
    >
      {entries.map(({ id, at, actor, action, subject, details }) => (
        <li key={id} className={styles.entry}>
          <p className={styles.what}>
            {actionText(action, subject, details)} <SubjectLink action={action} subject={subject} />
          </p>
          <p className={styles.who}>
            <time dateTime={at}>{formatShortDateTime(at, i18n.language)}</time> · {actor}
          </p>
          <AuditDetails details={details} />
        </li>
      ))}
    </ol>
  );
}

const OF_USERS = new Set([
  'user.disabled',
  'user.enabled',
  'user.password_link_sent',
  'days.granted',
]);

/** A link to the subject of an action, if it still exists and has a page. */
function SubjectLink({ action, subject }: { action: string; subject: string }) {
  const { t } = useTranslation('admin');
  const className = `ds-link ${styles.link}`;
  if (action.startsWith('import.')) {
    return (
      <Link to="/admin/dashboard/imports/$id" params={{ id: subject }} className={className}>
        {t('audit.see_import')}
      </Link>
    );
  }
  if (action === 'payment.refund_requested' || action === 'payment.synced') {
    return (
      <Link to="/admin/dashboard/payments/$id" params={{ id: subject }} className={className}>
        {t('audit.see_payment')}
      </Link>
    );
  }
  if (OF_USERS.has(action) && subject.includes('@')) {
    return (
      <Link to="/admin/dashboard/users" search={{ email: subject }} className={className}>
        {t('audit.see_user')}
      </Link>
    );
  }
  const isOfQuestion = action.startsWith('question.') || action.startsWith('feedback.');
  if (isOfQuestion && action !== 'question.deleted') {
    return (
      <Link to="/admin/dashboard/questions/$id" params={{ id: subject }} className={className}>
        {t('audit.see_question')}
      </Link>
    );
  }
  return null;
}

/** The actions whose sentences have a text, separated by commas; the log knows only their codes. */
function useActionsInWords(search = ''): string | undefined {
  const { t } = useTranslation('admin');
  const part = search.trim().toLowerCase();
  if (part.length < 3) return undefined;
  const areas: Record<string, Record<string, string>> = t('audit.action', { returnObjects: true });
  const found = Object.entries(areas).flatMap(([area, sentences]) =>
    Object.entries(sentences).flatMap(([action, sentence]) =>
      sentence.toLowerCase().includes(part) ? [`${area}.${action}`] : [],
    ),
  );
  return found.join(',') || undefined;
}

/** The action as a sentence; an unknown action of a newer version is shown by its name. */
function useActionText() {
  const { t, i18n } = useTranslation('admin');
  const subjectText = useCallback(
    (action: string, subject: string): string => {
      if (/^20\d\d-\d\d$/.test(subject)) return formatMonth(subject, i18n.language);
      if (action.startsWith('language.') && subject !== '…')
        return languageName(subject, i18n.language);
      const exam = `settings.exams.names.${subject}`;
      if (action.startsWith('exam_profile.') && i18n.exists(exam, { ns: 'admin' })) {
        return t(exam as 'settings.exams.names.statsborger');
      }
      return shortId(subject);
    },
    [t, i18n],
  );
  return useCallback(
    (action: string, subject: string, details: AuditEntry['details'] = {}): string => {
      // `active` stands for all active users; it is not an address.
      if (action === 'days.granted' && subject === 'active') return t('audit.granted_active');
      if (action === 'import.started' && details.dry_run === true) return t('audit.import_tried');
      const key = `audit.action.${action}`;
      if (!i18n.exists(key, { ns: 'admin' })) return t('audit.unknown', { action, subject });
      // tests/checks/audit-texts.test.ts checks that every action has a text.
      return t(key as 'audit.action.user.deleted', { subject: subjectText(action, subject) });
    },
    [t, i18n, subjectText],
  );
}
