import { useTranslation } from 'react-i18next';
import { formatDate, formatPercent } from '#lib/format.ts';
import type { RecentResult } from '../../progress/recent-results.ts';
import { topicLabel } from '../../topic-label.ts';

/** The chart for those who do not see it. */
export function ResultsTable({ results }: { results: readonly RecentResult[] }) {
  const { t, i18n } = useTranslation('learner');
  return (
    // A table itself cannot be made so small.
    <div className="ds-sr-only">
      <table>
        <caption>{t('progress.table')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('progress.column_date')}</th>
            <th scope="col">{t('progress.quiz')}</th>
            <th scope="col">{t('progress.column_percent')}</th>
            <th scope="col">{t('progress.column_outcome')}</th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ id, completedAt, topic, percent, passed }) => (
            <tr key={id}>
              <td>{formatDate(completedAt, i18n.language)}</td>
              <td>
                <span className="clamped">{topicLabel(topic, t)}</span>
              </td>
              <td>{formatPercent(percent / 100)}</td>
              <td>{passed === null ? '–' : t(passed ? 'result.passed' : 'result.not_passed')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
