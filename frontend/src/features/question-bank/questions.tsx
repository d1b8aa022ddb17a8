import { Button, Checkbox } from '@digdir/designsystemet-react';
import { DownloadIcon, PlusIcon } from '@navikt/aksel-icons';
import type { BankQuestion, QuestionFilter, QuestionSort } from '@proveklar/contract/questions.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState } from '#components/admin/admin-screen.tsx';
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
import { useScreenSearch } from '#lib/use-screen-search.ts';
import { type ExportFormat, exportQuestions, filtersQuery, questionsQuery } from './api.ts';
import { BankFilters } from './bank-filters.tsx';
import {
  type BankSearch,
  filterOf,
  isFiltered,
  present,
  PAGE_SIZES,
  readBankSearch,
  SORTS,
} from './bank-search.ts';
import { useRememberedList } from './bank-walk.ts';
import { BulkBar, type Selected, useSelection } from './bulk-bar.tsx';
import { RecentChanges, RunningChanges } from './changes.tsx';
import { QuestionTable } from './question-table.tsx';
import styles from './questions.module.css';
import { SavedViews } from './saved-views.tsx';
import { TopicsButton } from './topics.tsx';

/** The question bank: filters, the list of questions, and the actions. */
export function QuestionsScreen() {
  const { t, i18n } = useTranslation('admin');
  const [search, show] = useScreenSearch('/admin/dashboard/questions', readBankSearch);
  const statusText = useStatusText();
  const found = useQuery(questionsQuery(search));
  const selected = useSelection(search);
  const top = useRef<HTMLDivElement>(null);
  const { page = 1 } = search;
  const total = found.data?.total ?? 0;
  const pages = Math.ceil(total / (search.page_size ?? PAGE_SIZES[0]));
  const questions = found.data?.questions ?? [];
  useRememberedList(search, found.isPlaceholderData ? undefined : found.data);
  const counted = { count: total, n: formatCount(total, i18n.language) };

  const change = useCallback(
    (next: { [K in keyof BankSearch]: BankSearch[K] | undefined }, typed = false) =>
      // Another filter or sort order starts at the first page.
      show(present<BankSearch>({ ...search, page: undefined, ...next }), { replace: typed }),
    [search, show],
  );
  const clear = () => show(present<BankSearch>({ sort: search.sort, page_size: search.page_size }));
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
          <ButtonLink to="/admin/dashboard/questions/new" data-size="sm">
            <PlusIcon aria-hidden />
            {t('questions.new.title')}
          </ButtonLink>
          <TopicsButton />
          {total > 0 && <ExportButtons filter={filterOf(search)} />}
          <ButtonLink to="/admin/dashboard/questions/releases" variant="secondary" data-size="sm">
            {t('bank_release.link')}
          </ButtonLink>
        </>
      }
    >
      <RunningChanges />
      <SavedViews search={search} onShow={show} />
      <BankFilters search={search} onChange={change} onClear={clear} />
      <div ref={top} className={styles.head}>
        <p role="status" className={styles.total}>
          {found.data &&
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
        <div className={styles.size}>
          <Choice
            label={t('questions.page_size')}
            value={search.page_size === undefined ? undefined : String(search.page_size)}
            all={String(PAGE_SIZES[0])}
            options={PAGE_SIZES.slice(1).map((size) => [String(size), String(size)])}
            onChange={(size) =>
              change({ page_size: size === undefined ? undefined : Number(size) })
            }
          />
        </div>
      </div>
      {found.isPending && <SkeletonLines label={t('questions.loading')} lines={10} />}
      {found.isError && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('questions.failed.fetch', { status: statusText(found.error) })}
        </RetryAlert>
      )}
      {found.data && total === 0 && (
        <NoQuestions
          filtered={isFiltered(search)}
          onClear={clear}
          onRetired={() => change({ state: 'retired' })}
        />
      )}
      {questions.length > 0 && (
        <Stack gap={5}>
          <ChoosePage questions={questions} selected={selected} />
          <QuestionTable
            questions={questions}
            selected={selected}
            busy={found.isPlaceholderData}
            onPage={(step) => {
              const next = page + step;
              if (next < 1 || next > pages) return false;
              goTo(next);
              return true;
            }}
          />
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
