import type { QualitySummaryResponse } from '@proveklar/contract/question-quality.ts';
import { useTranslation } from 'react-i18next';
import { formatCount } from '#lib/format-compact.ts';
import styles from './charts.module.css';

/** The numbers of the second chart: how many questions for each pair of figures. */
export function ScatterTable({ points }: { points: QualitySummaryResponse['scatter'] }) {
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
