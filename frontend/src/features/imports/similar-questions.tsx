import { Button, ToggleGroup } from '@digdir/designsystemet-react';
import type {
  NearDuplicate,
  NearDuplicateProgress,
  SimilarQuestion,
} from '@proveklar/contract/near-duplicates.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState, ShareBar } from '#components/admin/admin-screen.tsx';
import { confirmAction } from '#components/admin/confirm-action.tsx';
import { PageButtons } from '#components/admin/page-buttons.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatPercent } from '#lib/format.ts';
import { textIn } from '#lib/question-language.ts';
import {
  cancelSearch,
  importKeys,
  MAX_PAIRS,
  type PairAnswer,
  PAIRS_PER_PAGE,
  retireSameAnswered,
  similarQuestionsQuery,
} from './api.ts';
import { compareTexts, type TextPart } from './compare-texts.ts';
import { counted, formatCount } from './format-amounts.ts';
import styles from './import-detail.module.css';
import { isSearched } from './import-state.tsx';
import { useSimilarActions } from './use-similar-actions.ts';

type SimilarQuestionsProps = { id: string; search: NearDuplicateProgress };

/** The near-duplicates of an import: the progress of the search, and the actions for each pair. */
export function SimilarQuestions({ id, search }: SimilarQuestionsProps) {
  const { t } = useTranslation('admin');
  const { t: tc } = useTranslation();
  const errorText = useErrorText();
  const heading = useRef<HTMLHeadingElement>(null);
  const [page, setPage] = useState(1);
  const isOver = !isSearched({ near_duplicates: search });
  const [chosen, setChosen] = useState<PairAnswer>('same');
  const list = useQuery(similarQuestionsQuery(id, { page, answer: chosen, isOver }));
  const { pairs = [], same = 0, different = 0 } = list.data ?? {};
  const total = same + different;
  const shown = { same, different }[chosen];
  // Everything in this group was handled, or it was empty from the start.
  const other = chosen === 'same' ? 'different' : 'same';
  if (list.isSuccess && !list.isPlaceholderData && shown === 0 && total > 0) choose(other);
  function choose(answer: PairAnswer) {
    setChosen(answer);
    setPage(1);
  }
  const pages = Math.ceil(shown / PAIRS_PER_PAGE);
  // The last pair of the last page was handled, so the previous page is now the last one.
  if (list.isSuccess && !list.isPlaceholderData && shown > 0 && page > pages) setPage(pages);
  const toTop = () => heading.current?.focus();
  const actions = useSimilarActions(id, toTop);

  return (
    <section className={styles.similar} aria-labelledby="import-similar">
      <div>
        <h2 id="import-similar" ref={heading} tabIndex={-1}>
          {t('import.similar.title')}
        </h2>
        {(!isOver || total > 0) && <p className={styles.lead}>{t('import.similar.lead')}</p>}
      </div>
      <SearchState id={id} search={search} />
      {list.isPending && <SkeletonLines label={tc('app.loading')} lines={4} />}
      {list.isError && (
        <RetryAlert busy={list.isFetching} onRetry={() => void list.refetch()}>
          {errorText(list.error)}
        </RetryAlert>
      )}
      {list.isSuccess && total === 0 && isOver && <Nothing search={search} />}
      {list.isSuccess && (total > 0 || !isOver) && (
        <div className={styles.found}>
          <p role="status">
            {total === 0
              ? t('import.similar.none_yet')
              : total >= MAX_PAIRS
                ? t('import.similar.total_most', { number: formatCount(total) })
                : t('import.similar.total', counted(total))}
          </p>
          {!isOver && search.found > 0 && (
            <BusyButton
              variant="secondary"
              data-size="sm"
              busy={list.isFetching}
              onClick={() => void list.refetch()}
            >
              {t('import.similar.refresh')}
            </BusyButton>
          )}
        </div>
      )}
      {total > 0 && (
        <ToggleGroup
          className={styles.groups}
          value={chosen}
          onChange={(value) => choose(value === 'same' ? 'same' : 'different')}
          data-toggle-group={t('import.similar.show')}
        >
          <ToggleGroup.Item value="same">
            {t('import.similar.same')} <span>{formatCount(same)}</span>
          </ToggleGroup.Item>
          <ToggleGroup.Item value="different">
            {t('import.similar.different')} <span>{formatCount(different)}</span>
          </ToggleGroup.Item>
        </ToggleGroup>
      )}
      {chosen === 'same' && same > 1 && isOver && (
        <RetireAll importId={id} same={same} actions={actions} />
      )}
      {chosen === 'different' && different > 0 && (
        <p className={styles.lead}>{t('import.similar.different_lead')}</p>
      )}
      {pairs.length > 0 && (
        <PairList importId={id} pairs={pairs} actions={actions} busy={list.isPlaceholderData} />
      )}
      <PageButtons
        page={page}
        pages={pages}
        onPage={(page) => {
          setPage(page);
          toTop();
        }}
      />
    </section>
  );
}

type RetireAllProps = {
  importId: string;
  same: number;
  actions: ReturnType<typeof useSimilarActions>;
};

/** Retires the new or the old question of every pair with the same answer. */
function RetireAll({ importId, same, actions }: RetireAllProps) {
  const { t } = useTranslation('admin');
  const ask = (which: 'newer' | 'older') =>
    confirmAction({
      title: t(`import.similar.retire_all.${which}_title`),
      body: <p>{t(`import.similar.retire_all.${which}_text`, counted(same))}</p>,
      action: t(`import.similar.retire_all.${which}`),
      run: () => retireSameAnswered(importId, which),
      onDone: actions.afterRetiringAll,
    });
  return (
    <div className={styles.choices}>
      <Button variant="secondary" data-size="sm" onClick={() => ask('newer')}>
        {t('import.similar.retire_all.newer')}
      </Button>
      <Button variant="tertiary" data-size="sm" onClick={() => ask('older')}>
        {t('import.similar.retire_all.older')}
      </Button>
    </div>
  );
}

function Nothing({ search: { state, found } }: Pick<SimilarQuestionsProps, 'search'>) {
  const { t } = useTranslation('admin');
  if (found > 0) {
    return (
      <EmptyState title={t('import.similar.all_done')}>
        <p>{t('import.similar.all_done_text')}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('import.similar.none')}>
      <p>
        {t(
          state === 'cancelled' ? 'import.similar.none_cancelled_text' : 'import.similar.none_text',
        )}
      </p>
    </EmptyState>
  );
}

type SearchStateProps = { id: string; search: NearDuplicateProgress };

/** The progress of the search, and a button to cancel it. Renders nothing once it is complete. */
function SearchState({ id, search }: SearchStateProps) {
  const { t } = useTranslation('admin');
  const { state, checked, total, found } = search;
  const of = { done: formatCount(checked), total: formatCount(total) };
  if (state === 'done') return null;
  if (state === 'cancelled') return <p>{t('import.similar.cancelled', of)}</p>;
  return (
    <div className={styles.search}>
      <ShareBar
        label={t('import.similar.progress')}
        amount={t('import.similar.progress_of', of)}
        share={total === 0 ? 1 : Math.min(1, checked / total)}
      />
      <p className={styles.lead}>
        {state === 'waiting'
          ? t('import.similar.waiting')
          : t('import.similar.searching', counted(found))}
      </p>
      <CancelSearch id={id} />
    </div>
  );
}

function CancelSearch({ id }: { id: string }) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  async function cancel() {
    try {
      return await cancelSearch(id);
    } finally {
      // The search may have ended meanwhile.
      void queryClient.invalidateQueries({ queryKey: importKeys.all });
    }
  }
  return (
    <Button
      variant="secondary"
      data-color="danger"
      onClick={() =>
        confirmAction({
          title: t('import.similar.cancel.title'),
          body: <p>{t('import.similar.cancel.text')}</p>,
          action: t('import.similar.cancel.button'),
          keep: t('import.similar.cancel.keep'),
          run: cancel,
          onDone: (one) => queryClient.setQueryData(importKeys.one(id), one),
        })
      }
    >
      {t('import.similar.cancel.button')}
    </Button>
  );
}

type PairListProps = {
  importId: string;
  pairs: readonly NearDuplicate[];
  actions: ReturnType<typeof useSimilarActions>;
  /** Another page is being loaded. */
  busy: boolean;
};

/** Pairs of questions, with the differing words marked. */
function PairList({ importId, pairs, actions, busy }: PairListProps) {
  const { t } = useTranslation('admin');
  return (
    <ul
      className={styles.pairs}
      aria-label={t('import.similar.list')}
      aria-busy={busy || undefined}
    >
      {pairs.map((pair) => (
        <li key={pair.question.id}>
          <Pair importId={importId} pair={pair} actions={actions} />
        </li>
      ))}
    </ul>
  );
}

type PairProps = { pair: NearDuplicate } & Pick<PairListProps, 'importId' | 'actions'>;

function Pair({ importId, pair, actions: { keepBoth, retire, isBusy } }: PairProps) {
  const { t, i18n } = useTranslation('admin');
  const { question, similar, language, similarity } = pair;
  const { first, second } = compareTexts(similar.question, question.question);
  const where = similar.import_id === importId ? 'same_file' : 'before';
  return (
    <>
      <p className={styles.alike}>
        {t('import.similar.alike', {
          percent: formatPercent(Math.floor(similarity * 100) / 100, i18n.language),
        })}
      </p>
      <dl className={styles.sides}>
        <Side name={t('import.similar.new')} question={question} parts={second} lang={language} />
        <Side
          name={t(`import.similar.${where}`)}
          question={similar}
          parts={first}
          lang={language}
        />
      </dl>
      <div className={styles.choices}>
        <Button
          variant="secondary"
          data-size="sm"
          aria-label={`${t('import.similar.retire')}: ${t('import.similar.retire_one', { id: question.id })}`}
          onClick={() => isBusy || retire(pair)}
        >
          {t('import.similar.retire')}
        </Button>
        <Button
          variant="tertiary"
          data-size="sm"
          aria-label={`${t('import.similar.keep')}: ${t('import.similar.keep_one', { id: question.id, other: similar.id })}`}
          onClick={() => isBusy || keepBoth(pair)}
        >
          {t('import.similar.keep')}
        </Button>
      </div>
    </>
  );
}

type SideProps = {
  name: string;
  question: SimilarQuestion;
  parts: readonly TextPart[];
  lang: string;
};

function Side({ name, question: { id, answer, topic }, parts, lang }: SideProps) {
  const { t } = useTranslation('admin');
  return (
    <div>
      <dt>
        {name} <span>{id}</span>
      </dt>
      <dd>
        <Link
          to="/admin/dashboard/questions/$id"
          params={{ id: String(id) }}
          className="ds-link"
          {...textIn(lang)}
        >
          {parts.map(({ at, text, differs }) =>
            differs ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
          )}
        </Link>
        <p {...textIn(lang)}>
          {t('import.similar.answer', { answer })} · {topic}
        </p>
      </dd>
    </div>
  );
}
