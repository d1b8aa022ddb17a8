import type { QualitySummaryResponse } from '@proveklar/contract/question-quality.ts';
import { useTranslation } from 'react-i18next';
import { formatCount } from '#lib/format-compact.ts';
import { FacilityChart } from './facility-chart.tsx';
import { ScatterTable } from './scatter-table.tsx';
import { ScatterView } from './scatter-view.tsx';
import styles from './charts.module.css';

type QualityChartsProps = { summary: QualitySummaryResponse };

/** The two charts, each with a sentence that says what it shows and a table with its numbers. */
export function QualityCharts({ summary }: QualityChartsProps) {
  const { t, i18n } = useTranslation('admin');
  const { facility, scatter, measured } = summary;
  const sum = (of: readonly { questions: number }[]) =>
    of.reduce((all, { questions }) => all + questions, 0);
  const number = (count: number) => formatCount(count, i18n.language);
  const hard = sum(facility.filter(({ to }) => to <= 0.4));
  const easy = sum(facility.filter(({ from }) => from >= 0.9));
  const negative = sum(scatter.filter(({ discrimination }) => discrimination < 0));
  return (
    <div className={styles.charts}>
      <figure className={styles.chart}>
        <figcaption>
          <h2>{t('quality.chart.facility')}</h2>
          <p>
            {t('quality.chart.facility_text', {
              measured: number(measured),
              hard: number(hard),
              easy: number(easy),
            })}
          </p>
        </figcaption>
        <FacilityChart bins={facility} />
        <details>
          <summary>{t('quality.chart.as_table')}</summary>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{t('quality.chart.right')}</th>
                <th scope="col">{t('quality.chart.questions')}</th>
              </tr>
            </thead>
            <tbody>
              {facility.map(({ from, to, questions }) => (
                <tr key={from}>
                  <th scope="row">{`${Math.round(from * 100)}–${Math.round(to * 100)} %`}</th>
                  <td>{number(questions)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </figure>
      <figure className={styles.chart}>
        <figcaption>
          <h2>{t('quality.chart.scatter')}</h2>
          <p>{t('quality.chart.scatter_text', { count: negative, n: number(negative) })}</p>
        </figcaption>
        <ScatterView points={scatter} />
        <details>
          <summary>{t('quality.chart.as_table')}</summary>
          <ScatterTable points={scatter} />
        </details>
      </figure>
    </div>
  );
}
