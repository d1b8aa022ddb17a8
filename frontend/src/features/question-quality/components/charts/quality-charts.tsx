import type { QualitySummaryResponse } from '@proveklar/contract/question-quality.ts';
import { useTranslation } from 'react-i18next';
import { formatCount } from '#lib/format-compact.ts';
import styles from './charts.module.css';
import { FacilityChart } from './facility-chart.tsx';
import { ScatterView } from './scatter-view.tsx';

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

/** The numbers of the second chart: how many questions for each pair of figures. */
function ScatterTable({ points }: { points: QualitySummaryResponse['scatter'] }) {
  const { t, i18n } = useTranslation('admin');
  const sorted = points.toSorted(
    (a, b) => a.discrimination - b.discrimination || a.facility - b.facility,
  );
  const figure = new Intl.NumberFormat(i18n.language === 'en' ? 'en-GB' : 'nb-NO', {
    minimumFractionDigits: 2,
  });
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('quality.discrimination_name')}</th>
          <th scope="col">{t('quality.chart.right')}</th>
          <th scope="col">{t('quality.chart.questions')}</th>
        </tr>
      </thead>
      <tbody>
        {sorted.map(({ facility, discrimination, questions }) => (
          <tr key={`${facility} ${discrimination}`}>
            <td>{figure.format(discrimination)}</td>
            <td>{`${Math.round(facility * 100)} %`}</td>
            <td>{formatCount(questions, i18n.language)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
