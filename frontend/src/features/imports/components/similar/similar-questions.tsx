import type { NearDuplicateProgress } from '@proveklar/contract/imports.ts';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#components/admin/empty-state.tsx';
import { PageButtons } from '#components/admin/page-buttons.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { MOST_PAIRS, PAIRS_PER_PAGE, similarQuestionsQuery } from '../../api.ts';
import { counted, formatCount } from '../../format-amounts.ts';
import { isSearched } from '../../import-state.ts';
import { useSimilarActions } from '../../use-similar-actions.ts';
import { PairList } from './pair-list.tsx';
import { SearchState } from './search-state.tsx';
import styles from './similar-questions.module.css';

type SimilarQuestionsProps = { id: string; search: NearDuplicateProgress };

/** New questions that are much like others: how far the search has come, and what to do with each. */
export function SimilarQuestions({ id, search }: SimilarQuestionsProps) {
  const { t } = useTranslation('admin');
  const { t: tc } = useTranslation();
  const errorText = useErrorText();
  const heading = useRef<HTMLHeadingElement>(null);
  const [wished, setWished] = useState(1);
  const isOver = !isSearched({ near_duplicates: search });
  const asked = useQuery(similarQuestionsQuery(id, wished, isOver));
  const { pairs = [], total = 0 } = asked.data ?? {};
  const pages = Math.ceil(total / PAIRS_PER_PAGE);
  // The last pair of the last page is dealt with: the one before is the last now.
  if (asked.isSuccess && !asked.isPlaceholderData && total > 0 && wished > pages) setWished(pages);
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
      {asked.isPending && <SkeletonLines label={tc('app.loading')} lines={4} />}
      {asked.isError && (
        <RetryAlert busy={asked.isFetching} onRetry={() => void asked.refetch()}>
          {errorText(asked.error)}
        </RetryAlert>
      )}
      {asked.isSuccess && total === 0 && isOver && <Nothing search={search} />}
      {asked.isSuccess && (total > 0 || !isOver) && (
        <div className={styles.head}>
          <p role="status">
            {total === 0
              ? t('import.similar.none_yet')
              : total >= MOST_PAIRS
                ? t('import.similar.total_most', { number: formatCount(total) })
                : t('import.similar.total', counted(total))}
          </p>
          {!isOver && search.found > 0 && (
            <BusyButton
              variant="secondary"
              data-size="sm"
              busy={asked.isFetching}
              onClick={() => void asked.refetch()}
            >
              {t('import.similar.refresh')}
            </BusyButton>
          )}
        </div>
      )}
      {pairs.length > 0 && (
        <PairList importId={id} pairs={pairs} actions={actions} busy={asked.isPlaceholderData} />
      )}
      <PageButtons
        page={wished}
        pages={pages}
        onPage={(page) => {
          setWished(page);
          toTop();
        }}
      />
    </section>
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
