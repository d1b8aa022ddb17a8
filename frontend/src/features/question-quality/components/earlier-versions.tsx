import type { VersionStatistics } from '@proveklar/contract/question-quality.ts';
import { useTranslation } from 'react-i18next';
import { formatCount } from '#lib/format-compact.ts';
import { textIn } from '#lib/question-language.ts';
import { useFigureText } from '../use-figure-text.ts';
import { OptionBars } from './option-bars.tsx';
import styles from './question-statistics.module.css';

type EarlierVersionsProps = { versions: readonly VersionStatistics[]; language: string };

/** How versions were answered whose text or options were others: they are no part of the figures. */
export function EarlierVersions({ versions, language }: EarlierVersionsProps) {
  const { t, i18n } = useTranslation('admin');
  const figureText = useFigureText();
  const earlier = versions.filter(({ pooled, answers }) => !pooled && answers > 0);
  if (earlier.length === 0) return null;
  return (
    <details>
      <summary className={styles.summary}>{t('quality.earlier')}</summary>
      <ul className={styles.earlier}>
        {earlier.map(({ version, question, answers, facility, options, corrected }) => (
          <li key={version}>
            <p>
              <strong>{t('questions.history.version', { n: version })}:</strong>{' '}
              <span {...textIn(language)}>{question}</span>
            </p>
            <p className="muted">
              {t('quality.answers')}: {formatCount(answers, i18n.language)} ·{' '}
              {t('quality.facility')}: {figureText.facility(facility)}
              {corrected && ` · ${t('quality.key_was_wrong')}`}
            </p>
            <OptionBars options={options} language={language} />
          </li>
        ))}
      </ul>
    </details>
  );
}
