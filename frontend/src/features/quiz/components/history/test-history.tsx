import { Button } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { historyQuery } from '../../api/get-history.ts';
import { HistoryEmpty } from './history-empty.tsx';
import { HistoryFailed } from './history-failed.tsx';
import { HistoryRow } from './history-row.tsx';
import styles from './test-history.module.css';

/** As many runs as are shown at first, and more at a time. */
const STEP = 20;

/** The quizzes that one has finished, the newest first; each leads to its result. */
export function TestHistory() {
  const { t } = useTranslation(['learner', 'translation']);
  const { data, isPending, isError, isFetching, refetch } = useQuery(historyQuery);
  const [shown, setShown] = useState(STEP);
  const history = data?.history ?? [];

  return (
    <section className={styles.section} aria-labelledby="history-title">
      <h2 id="history-title">{t('history.title')}</h2>
      {isPending && <SkeletonLines label={t('translation:app.loading')} lines={5} />}
      {isError && <HistoryFailed busy={isFetching} onRetry={() => void refetch()} />}
      {!isPending && history.length === 0 && <HistoryEmpty />}
      {history.length > 0 && (
        <ul className={styles.list}>
          {history.slice(0, shown).map((run) => (
            <HistoryRow key={run.id} run={run} />
          ))}
        </ul>
      )}
      {history.length > shown && (
        <Button variant="secondary" onClick={() => setShown(shown + STEP)}>
          {t('history.show_more')}
        </Button>
      )}
    </section>
  );
}
