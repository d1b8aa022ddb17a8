import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Tag } from '@digdir/designsystemet-react';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { formatShortDateTime } from '#lib/format-compact.ts';
import { reportsQuery } from '../../api.ts';
import styles from './question-page.module.css';

/** What learners have said about a question. */
export function QuestionReports({ id }: { id: number }) {
  const { t, i18n } = useTranslation('admin');
  const statusText = useStatusText();
  const reports = useQuery(reportsQuery(id));
  const { feedback = [], total = 0 } = reports.data ?? {};
  return (
    <section className={styles.section} aria-labelledby="question-reports">
      <h2 id="question-reports">{t('questions.reports.title')}</h2>
      {reports.isPending && <SkeletonLines label={t('questions.loading_one')} lines={2} />}
      {reports.isError && (
        <RetryAlert busy={reports.isFetching} onRetry={() => void reports.refetch()}>
          {t('questions.reports.failed', { status: statusText(reports.error) })}
        </RetryAlert>
      )}
      {reports.isSuccess && total === 0 && <p className="muted">{t('questions.reports.none')}</p>}
      <ul className={styles.reports}>
        {feedback.map(({ id: key, created_at, user_email, reason, comment, state }) => (
          <li key={key}>
            <p>
              <strong>{t(`questions.reports.reason.${reason ?? 'none'}`)}</strong>{' '}
              <Tag data-size="sm" data-color={state === 'open' ? 'warning' : 'neutral'}>
                {t(`questions.reports.state.${state}`)}
              </Tag>
            </p>
            {comment && <p>{comment}</p>}
            <p className="muted">
              <time dateTime={created_at}>{formatShortDateTime(created_at, i18n.language)}</time> ·{' '}
              {user_email}
            </p>
          </li>
        ))}
      </ul>
      {total > feedback.length && (
        <p className="muted">{t('questions.reports.more', { count: total - feedback.length })}</p>
      )}
    </section>
  );
}
