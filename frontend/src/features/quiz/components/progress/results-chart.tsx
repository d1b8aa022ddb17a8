import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate, formatDay, formatPercent } from '#lib/format.ts';
import type { HistoryItem } from '../../api.ts';
import { type RecentResult, recentResults, trendOf } from '../../progress/recent-results.ts';
import { topicLabel } from '../../topic-label.ts';
import progressStyles from './learner-progress.module.css';
import styles from './results-chart.module.css';

const SCALE = [100, 50, 0];
/** So many dates have room beside one another on a phone. */
const FEW = 4;

/**
 * The last runs as bars, practice tests with the line that they need. Drawn with boxes: the charts'
 * library would weigh a hundred times as much.
 */
export function ResultsChart({ history }: { history: readonly HistoryItem[] }) {
  const { t, i18n } = useTranslation('learner');
  const results = recentResults(history);
  const { runs, now, before } = trendOf(history);
  const isFew = results.length <= FEW;
  const dated = isFew ? results : [results[0], results.at(-1)];
  const hasTest = results.some(({ passPercent }) => passPercent !== null);
  const hasDrill = results.some(({ passPercent }) => passPercent === null);
  return (
    <section className={`${progressStyles.card} ${styles.card}`} aria-labelledby="results-title">
      <h3 id="results-title">{t('progress.results')}</h3>
      <p>
        {t('progress.recent', { n: runs, percent: formatPercent(now) })}{' '}
        {before !== null && t('progress.before', { n: runs, percent: formatPercent(before) })}
      </p>
      <div aria-hidden className={styles.chart} data-few={isFew || undefined}>
        <div className={styles.scale}>
          {SCALE.map((percent) => (
            <span key={percent}>{formatPercent(percent / 100)}</span>
          ))}
        </div>
        <div className={styles.plot}>
          {results.map(({ id, percent, passPercent }) => (
            <span key={id} className={styles.run} data-test={passPercent !== null || undefined}>
              <span className={styles.bar} style={height(percent)} />
              {passPercent !== null && <span className={styles.line} style={height(passPercent)} />}
            </span>
          ))}
        </div>
        <div className={styles.dates}>
          {dated.map(
            (result) =>
              result && <span key={result.id}>{formatDay(result.completedAt, i18n.language)}</span>,
          )}
        </div>
      </div>
      {hasTest && (
        <ul aria-hidden className={styles.legend}>
          {hasDrill && <li data-mark="drill">{t('progress.quiz')}</li>}
          <li data-mark="test">{t('quiz.practice_test')}</li>
          <li data-mark="line">{t('progress.pass_line')}</li>
        </ul>
      )}
      <ResultsTable results={results} />
    </section>
  );
}

const height = (percent: number): CSSProperties => ({ blockSize: `${percent}%` });

/** The chart for those who do not see it. */
function ResultsTable({ results }: { results: readonly RecentResult[] }) {
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
