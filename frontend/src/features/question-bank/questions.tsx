import { Button, Checkbox } from '@digdir/designsystemet-react';
import { DownloadIcon } from '@navikt/aksel-icons';
import type { BankQuestion, QuestionFilter, QuestionSort } from '@proveklar/contract/questions.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState } from '#components/admin/admin-screen.tsx';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { Choice } from '#components/admin/filters.tsx';
import { notify } from '#components/admin/notify.ts';
import { PageButtons } from '#components/admin/page-buttons.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { ButtonLink } from '#components/link.tsx';
import { Stack } from '#components/layout.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { languageName, textIn } from '#lib/question-language.ts';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import { type ExportFormat, exportQuestions, filtersQuery, questionsQuery } from './api.ts';
import { BankFilters } from './bank-filters.tsx';
import {
  type BankSearch,
  filterOf,
  isFiltered,
  present,
  QUESTIONS_PER_PAGE,
  readBankSearch,
  rememberSearch,
  SORTS,
} from './bank-search.ts';
import { BulkBar, type Selected, useSelection } from './bulk-bar.tsx';
import { RecentChanges, RunningChanges } from './changes.tsx';
import { StatusTag, useDelete, useRestore, useValidate } from './question-actions.tsx';
import styles from './questions.module.css';
import { QuestionTopicDialog } from './topic-dialog.tsx';

/** The question bank: filters, the list of questions, and the actions. */
export function QuestionsScreen() {
  const { t, i18n } = useTranslation('admin');
  const [search, show] = useScreenSearch('/admin/dashboard/questions', readBankSearch);
  useEffect(() => rememberSearch(search), [search]);
  const statusText = useStatusText();
  const found = useQuery(questionsQuery(search));
  const selected = useSelection(search);
  const top = useRef<HTMLDivElement>(null);
  const { page = 1 } = search;
  const total = found.data?.total ?? 0;
  const pages = Math.ceil(total / QUESTIONS_PER_PAGE);
  const questions = found.data?.questions ?? [];
  const counted = { count: total, n: formatCount(total, i18n.language) };

  const change = useCallback(
    (next: { [K in keyof BankSearch]: BankSearch[K] | undefined }, typed = false) =>
      // Another filter or sort order starts at the first page.
      show(present<BankSearch>({ ...search, page: undefined, ...next }), { replace: typed }),
    [search, show],
  );
  const clear = () => show(search.sort ? { sort: search.sort } : {});
  function goTo(next: number) {
    change({ page: next === 1 ? undefined : next });
    top.current?.scrollIntoView({ block: 'start' });
  }

  // The page no longer exists: its questions were deleted, or the link is old.
  const isBeyond = found.isSuccess && !found.isPlaceholderData && total > 0 && page > pages;
  useEffect(() => {
    if (isBeyond) change({ page: pages > 1 ? pages : undefined }, true);
  }, [isBeyond, change, pages]);

  return (
    <AdminScreen
      title={t('questions.title')}
      lead={t('questions.lead')}
      actions={
        <>
          {total > 0 && <ExportButtons filter={filterOf(search)} />}
          <ButtonLink to="/admin/dashboard/questions/releases" variant="secondary" data-size="sm">
            {t('bank_release.link')}
          </ButtonLink>
        </>
      }
    >
      <RunningChanges />
      <BankFilters search={search} onChange={change} onClear={clear} />
      <div ref={top} className={styles.head}>
        <p role="status" className={styles.total}>
          {found.isSuccess &&
            t(isFiltered(search) ? 'questions.total_match' : 'questions.total', counted)}
        </p>
        <div className={styles.sort}>
          <Choice<QuestionSort>
            label={t('questions.sort_by')}
            value={search.sort}
            all={t('questions.sort.newest')}
            options={SORTS.filter((sort) => sort !== 'newest').map((sort) => [
              sort,
              t(`questions.sort.${sort}`),
            ])}
            onChange={(sort) => change({ sort })}
          />
        </div>
      </div>
      {found.isPending && <SkeletonLines label={t('questions.loading')} lines={10} />}
      {found.isError && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('questions.failed.fetch', { status: statusText(found.error) })}
        </RetryAlert>
      )}
      {found.isSuccess && total === 0 && (
        <NoQuestions
          filtered={isFiltered(search)}
          onClear={clear}
          onRetired={() => change({ state: 'retired' })}
        />
      )}
      {questions.length > 0 && !found.isError && (
        <Stack gap={5}>
          <ChoosePage questions={questions} selected={selected} />
          <QuestionTable questions={questions} selected={selected} busy={found.isPlaceholderData} />
          <PageButtons page={page} pages={pages} onPage={goTo} />
          <BulkBar search={search} total={total} selected={selected} />
        </Stack>
      )}
      <RecentChanges />
    </AdminScreen>
  );
}

type ChoosePageProps = { questions: readonly BankQuestion[]; selected: Selected };

/** Selects or deselects all questions on the page. */
function ChoosePage({ questions, selected }: ChoosePageProps) {
  const { t } = useTranslation('admin');
  const count = questions.filter(({ id }) => selected.has(id)).length;
  const isAll = count > 0 && count === questions.length;
  return (
    <Checkbox
      label={t('questions.choose_page')}
      checked={isAll}
      ref={(box) => {
        if (box) box.indeterminate = count > 0 && !isAll;
      }}
      onChange={() => (selected.all ? selected.clear() : selected.toggle(questions, !isAll))}
    />
  );
}

const FORMATS: ExportFormat[] = ['json', 'csv'];

/** Buttons to export the matching questions. */
function ExportButtons({ filter }: { filter: QuestionFilter }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const saving = useMutation({
    mutationFn: (format: ExportFormat) => exportQuestions(format, filter),
    onError: (error) => notify(t('questions.failed.export', { reason: errorText(error) })),
  });
  return FORMATS.map((format) => (
    <BusyButton
      key={format}
      variant="secondary"
      data-size="sm"
      busy={saving.isPending && saving.variables === format}
      onClick={() => saving.isPending || saving.mutate(format)}
    >
      <DownloadIcon aria-hidden />
      {t('questions.export', { format: format.toUpperCase() })}
    </BusyButton>
  ));
}

type NoQuestionsProps = {
  filtered: boolean;
  onClear: () => void;
  onRetired: () => void;
};

/** Shown if nothing matches, all questions are retired, or the bank is empty, with a link to the import. */
function NoQuestions({ filtered, onClear, onRetired }: NoQuestionsProps) {
  const { t } = useTranslation('admin');
  const { data: known } = useQuery(filtersQuery);
  if (filtered) {
    return (
      <EmptyState title={t('questions.none_match')}>
        <p>{t('questions.none_match_text')}</p>
        <Button variant="secondary" onClick={onClear}>
          {t('questions.filter.clear')}
        </Button>
      </EmptyState>
    );
  }
  // The topics include those of retired questions.
  if (known && known.topics.length > 0) {
    return (
      <EmptyState title={t('questions.none_active')}>
        <p>{t('questions.none_active_text')}</p>
        <Button variant="secondary" onClick={onRetired}>
          {t('questions.see_retired')}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('questions.none_yet')}>
      <p>{t('questions.none_yet_text')}</p>
      <ButtonLink to="/admin/dashboard">{t('shell.tab.import')}</ButtonLink>
    </EmptyState>
  );
}

type QuestionTableProps = { questions: BankQuestion[]; selected: Selected; busy: boolean };

function QuestionTable({ questions, selected, busy }: QuestionTableProps) {
  const { t, i18n } = useTranslation('admin');
  const [retopicked, setRetopicked] = useState<BankQuestion>();
  const askToDelete = useDelete();
  const number = (count: number) => formatCount(count, i18n.language);
  const columns: Column<BankQuestion>[] = [
    {
      key: 'chosen',
      header: t('questions.column.chosen'),
      bare: true,
      head: <span className="ds-sr-only">{t('questions.column.chosen')}</span>,
      render: (question) => (
        <Checkbox
          aria-label={t('questions.choose', { id: question.id })}
          checked={selected.has(question.id)}
          onChange={({ currentTarget }) =>
            selected.toggle([question], currentTarget.checked, questions)
          }
        />
      ),
    },
    {
      key: 'question',
      header: t('questions.column.question'),
      primary: true,
      render: ({ id, question, language }) => (
        <Link
          to="/admin/dashboard/questions/$id"
          params={{ id: String(id) }}
          className={`ds-link ${styles.question}`}
          {...textIn(language)}
        >
          {question}
        </Link>
      ),
    },
    {
      key: 'topic',
      header: t('questions.column.topic'),
      render: ({ topic }) => <span className="clamped">{topic}</span>,
    },
    {
      key: 'language',
      header: t('questions.column.language'),
      render: ({ language }) => languageName(language, i18n.language),
    },
    {
      key: 'status',
      header: t('questions.column.status'),
      render: (question) => <StatusTag question={question} />,
    },
    {
      key: 'selected',
      header: t('questions.column.selected'),
      align: 'end',
      render: ({ times_selected }) => number(times_selected),
    },
    {
      key: 'correct',
      header: t('questions.column.correct'),
      align: 'end',
      render: ({ correct_percent }) => (
        <span className={styles.figure}>
          {correct_percent === null ? '–' : `${number(correct_percent)} %`}
        </span>
      ),
    },
    {
      key: 'reports',
      header: t('questions.column.reports'),
      align: 'end',
      render: ({ times_reported }) => number(times_reported),
    },
    {
      key: 'actions',
      header: t('questions.column.actions'),
      bare: true,
      render: (question) => (
        <RowActions
          question={question}
          onTopic={() => setRetopicked(question)}
          onDelete={() => askToDelete(question)}
        />
      ),
    },
  ];
  return (
    <>
      <DataTable
        caption={t('questions.list')}
        columns={columns}
        rows={questions}
        rowKey={({ id }) => id}
        busy={busy}
      />
      <QuestionTopicDialog question={retopicked} onClose={() => setRetopicked(undefined)} />
    </>
  );
}

type RowActionsProps = { question: BankQuestion; onTopic: () => void; onDelete: () => void };

/** The actions for a question in the list. */
function RowActions({ question, onTopic, onDelete }: RowActionsProps) {
  const { t } = useTranslation('admin');
  const { id, validated, is_used, retired_at } = question;
  const validation = useValidate();
  const restoring = useRestore();
  const own = { 'data-size': 'sm', variant: 'tertiary' } as const;
  return (
    <div className={styles.rowActions}>
      {retired_at ? (
        <BusyButton
          {...own}
          busy={restoring.isPending}
          aria-label={t('questions.which.restore', { id })}
          onClick={() => restoring.mutate(id)}
        >
          {t('questions.action.restore')}
        </BusyButton>
      ) : (
        <BusyButton
          {...own}
          busy={validation.isPending}
          aria-label={t(validated ? 'questions.which.unvalidate' : 'questions.which.validate', {
            id,
          })}
          onClick={() => validation.mutate({ question, validated: !validated })}
        >
          {t(validated ? 'questions.action.unvalidate_short' : 'questions.action.validate')}
        </BusyButton>
      )}
      <Button {...own} aria-label={t('questions.which.retopic', { id })} onClick={onTopic}>
        {t('questions.action.topic_short')}
      </Button>
      {!(retired_at && is_used) && (
        <Button
          {...own}
          data-color="danger"
          aria-label={t(is_used ? 'questions.which.retire' : 'questions.which.delete', { id })}
          onClick={onDelete}
        >
          {t(is_used ? 'questions.action.retire' : 'questions.action.delete')}
        </Button>
      )}
    </div>
  );
}
