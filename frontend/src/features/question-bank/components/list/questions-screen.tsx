import { Checkbox } from '@digdir/designsystemet-react';
import { DownloadIcon } from '@navikt/aksel-icons';
import type { BankQuestion, QuestionFilter, QuestionSort } from '@proveklar/contract/questions.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { notify } from '#components/admin/notify.ts';
import { PageButtons } from '#components/admin/page-buttons.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import { type ExportFormat, exportQuestions, questionsQuery } from '../../api.ts';
import {
  type BankSearch,
  filterOf,
  isFiltered,
  present,
  QUESTIONS_PER_PAGE,
  readBankSearch,
  SORTS,
} from '../../bank-search.ts';
import { rememberSearch } from '../../last-search.ts';
import { type Selected, useSelection } from '../../use-selection.ts';
import { RecentChanges } from '../changes/recent-changes.tsx';
import { RunningChanges } from '../changes/running-changes.tsx';
import { BankFilters } from './bank-filters.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { Choice } from '#components/admin/filters.tsx';
import { NoQuestions } from './no-questions.tsx';
import { QuestionTable } from './question-table.tsx';
import styles from './questions-screen.module.css';

/** The question bank: which questions, what is known of each, and what may be done about them. */
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
      // Another filter or order begins at its first page.
      show(present<BankSearch>({ ...search, page: undefined, ...next }), { replace: typed }),
    [search, show],
  );
  const clear = () => show(search.sort ? { sort: search.sort } : {});
  function goTo(next: number) {
    change({ page: next === 1 ? undefined : next });
    top.current?.scrollIntoView({ block: 'start' });
  }

  // A page that is no more: its questions were deleted, or the link is old.
  const isBeyond = found.isSuccess && !found.isPlaceholderData && total > 0 && page > pages;
  useEffect(() => {
    if (isBeyond) change({ page: pages > 1 ? pages : undefined }, true);
  }, [isBeyond, change, pages]);

  return (
    <AdminScreen
      title={t('questions.title')}
      lead={t('questions.lead')}
      actions={total > 0 && <ExportButtons filter={filterOf(search)} />}
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
        <div className={styles.list}>
          <ChoosePage questions={questions} selected={selected} />
          <QuestionTable questions={questions} selected={selected} busy={found.isPlaceholderData} />
          <PageButtons page={page} pages={pages} onPage={goTo} />
          <BulkBar search={search} total={total} selected={selected} />
        </div>
      )}
      <RecentChanges />
    </AdminScreen>
  );
}

type ChoosePageProps = { questions: readonly BankQuestion[]; selected: Selected };

/** Chooses what is on this page, or leaves it. */
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

/** Saves what the list finds as a file. */
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
