import { Tag } from '@digdir/designsystemet-react';
import { ChevronRightIcon } from '@navikt/aksel-icons';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatDateTime, formatPercent } from '#lib/format.ts';
import type { HistoryItem } from '../../api.ts';
import { percentage } from '../../history/percentage.ts';
import { timeSpent } from '../../history/time-spent.ts';
import { topicLabel } from '../../topic-label.ts';
import styles from './history-row.module.css';

export function HistoryRow({ run }: { run: HistoryItem }) {
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
          {formatPercent(percent / 100)}
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
