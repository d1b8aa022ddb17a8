import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { StatTiles } from '#components/admin/stat-tiles.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { summaryQuery } from '../api.ts';
import { REASONS } from '../quality-search.ts';
import { ReviewQueue } from './review-queue.tsx';
import styles from './quality-screen.module.css';

// Drawing them takes more code than all the rest of the screen.
const QualityCharts = lazy(async () => {
  const { QualityCharts: loaded } = await import('./charts/quality-charts.tsx');
  return { default: loaded };
});

/** How the bank is doing: figures, charts, and the questions that somebody should look at. */
export function QualityScreen() {
  const { t, i18n } = useTranslation('admin');
  const errorText = useErrorText();
  const summary = useQuery(summaryQuery);
  const { data } = summary;
  const count = (n: number | undefined) =>
    n === undefined ? undefined : formatCount(n, i18n.language);
  return (
    <AdminScreen title={t('quality.title')} lead={t('quality.lead')}>
      {summary.isError && (
        <RetryAlert busy={summary.isFetching} onRetry={() => void summary.refetch()}>
          {t('quality.failed_summary', { reason: errorText(summary.error) })}
        </RetryAlert>
      )}
      <div className={styles.tiles}>
        <StatTiles
          tiles={[
            ...REASONS.map((reason) => ({
              label: t(`quality.reason.${reason}`),
              value: count(data?.reasons[reason]),
            })),
            { label: t('quality.stat.measured'), value: count(data?.measured) },
            { label: t('quality.stat.too_few'), value: count(data?.too_few) },
          ]}
        />
      </div>
      {data && data.measured === 0 && (
        <p className="muted">{t('quality.nothing_measured', { threshold: data.threshold })}</p>
      )}
      {data && data.measured > 0 && (
        <Suspense fallback={<div className={`ds-skeleton ${styles.charts}`} />}>
          <QualityCharts summary={data} />
        </Suspense>
      )}
      <ReviewQueue />
    </AdminScreen>
  );
}
