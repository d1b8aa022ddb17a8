import { Tag } from '@digdir/designsystemet-react';
import { ChevronRightIcon, ClipboardCheckmarkIcon } from '@navikt/aksel-icons';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { ButtonLink } from '#components/link.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { formatDateTime, formatPercent } from '#lib/format.ts';
import { useShowMore } from '#lib/use-focus.ts';
import { type HistoryItem, historyQuery } from './api.ts';
import styles from './history.module.css';
import { percentage } from './progress-figures.ts';
import { topicLabel } from './topic-label.ts';
import { timeSpent } from './outcome.ts';

/** The learner's finished quizzes, the newest first. */
export function TestHistory() {
  const { t } = useTranslation(['learner', 'translation']);
  const runs = useInfiniteQuery(historyQuery);
  const { list, showMore } = useShowMore<HTMLUListElement>(runs.fetchNextPage);
  const history = runs.data?.pages.flatMap((page) => page.history) ?? [];

  if (runs.isPending) return <SkeletonLines label={t('translation:app.loading')} lines={8} />;
  return (
    <section className={styles.section} aria-labelledby="history-title">
      <div className={styles.head}>
        <h2 id="history-title">{t('history.title')}</h2>
        {history.length > 0 && (
          <ButtonLink to="/quiz/progress" variant="secondary" data-size="sm">
            {t('progress.show')}
          </ButtonLink>
        )}
      </div>
      {runs.isError && (
        <HistoryFailed
          busy={runs.isFetching}
          onRetry={runs.isFetchNextPageError ? showMore : () => void runs.refetch()}
        >
          {t('history.failed')}
        </HistoryFailed>
      )}
      {history.length === 0 && <HistoryEmpty />}
      {history.length > 0 && (
        <ul ref={list} className={styles.list}>
          {history.map((run) => (
            <HistoryRow key={run.id} run={run} />
          ))}
        </ul>
      )}
      {runs.hasNextPage && (
        <BusyButton variant="secondary" busy={runs.isFetchingNextPage} onClick={showMore}>
          {t('history.show_more')}
        </BusyButton>
      )}
    </section>
  );
}

function HistoryRow({ run }: { run: HistoryItem }) {
  const { t, i18n } = useTranslation('learner');
  const { percent, excellent } = percentage(run.correct_answers, run.total_questions);
  const score = { score: run.correct_answers, total: run.total_questions };
  return (
    <li>
      <Link to="/quiz/$id/result" params={{ id: run.id }} className={styles.row}>
        <span className={`clamped ${styles.topic}`}>{topicLabel(run.topic, t)}</span>
        <time className={styles.date} dateTime={run.completed_at}>
          {formatDateTime(run.completed_at, i18n.language)}
        </time>
        <strong className={styles.percent} data-excellent={excellent || undefined}>
          {formatPercent(percent / 100, i18n.language)}
        </strong>
        <span className={styles.facts}>
          <span>{t('result.score', score)}</span>
          <span>{timeSpent(run.time_spent, t)}</span>
          {run.passed !== null && (
            <Tag data-size="sm" data-color={run.passed ? 'success' : 'danger'}>
              {t(run.passed ? 'result.passed' : 'result.not_passed')}
            </Tag>
          )}
        </span>
        <ChevronRightIcon aria-hidden className={styles.arrow} />
      </Link>
    </li>
  );
}

function HistoryEmpty() {
  const { t } = useTranslation('learner');
  return (
    <div className={styles.empty}>
      <ClipboardCheckmarkIcon aria-hidden />
      <h3>{t('history.empty_title')}</h3>
      <p>{t('history.empty_text')}</p>
      <ButtonLink to="/quiz">{t('history.empty_action')}</ButtonLink>
    </div>
  );
}

type HistoryFailedProps = { children: ReactNode; busy: boolean; onRetry: () => void };

/** As specified, a history that cannot be read is shown as empty. This line is the only message. */
function HistoryFailed({ children, busy, onRetry }: HistoryFailedProps) {
  const { t } = useTranslation();
  return (
    <p className={styles.failed} role="status">
      {children}
      <BusyButton variant="tertiary" data-size="sm" busy={busy} onClick={onRetry}>
        {t('actions.retry')}
      </BusyButton>
    </p>
  );
}
