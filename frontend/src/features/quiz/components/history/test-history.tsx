import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { historyQuery, progressQuery } from '../../api.ts';
import { LearnerProgress } from '../progress/learner-progress.tsx';
import { HistoryEmpty } from './history-empty.tsx';
import { HistoryFailed } from './history-failed.tsx';
import { HistoryRow } from './history-row.tsx';
import styles from './test-history.module.css';

/** The quizzes that one has finished, the newest first, below what they say together. */
export function TestHistory() {
  const { t } = useTranslation(['learner', 'translation']);
  const runs = useInfiniteQuery(historyQuery);
  const progress = useQuery(progressQuery);
  const history = runs.data?.pages.flatMap((page) => page.history) ?? [];

  // The progress stands above the list, which must not be pushed down by it. One that fails is not
  // waited for.
  if (runs.isPending || (progress.isPending && progress.failureCount === 0)) {
    return <SkeletonLines label={t('translation:app.loading')} lines={8} />;
  }
  return (
    <>
      {progress.isError && (
        <HistoryFailed busy={progress.isFetching} onRetry={() => void progress.refetch()}>
          {t('progress.failed')}
        </HistoryFailed>
      )}
      <LearnerProgress history={history} progress={progress.data} />
      <section className={styles.section} aria-labelledby="history-title">
        <h2 id="history-title">{t('history.title')}</h2>
        {runs.isError && (
          <HistoryFailed busy={runs.isFetching} onRetry={() => void runs.refetch()}>
            {t('history.failed')}
          </HistoryFailed>
        )}
        {history.length === 0 && <HistoryEmpty />}
        {history.length > 0 && (
          <ul className={styles.list}>
            {history.map((run) => (
              <HistoryRow key={run.id} run={run} />
            ))}
          </ul>
        )}
        {runs.hasNextPage && (
          <BusyButton
            variant="secondary"
            busy={runs.isFetchingNextPage}
            onClick={() => void runs.fetchNextPage()}
          >
            {t('history.show_more')}
          </BusyButton>
        )}
      </section>
    </>
  );
}
