import type { OptionShare } from '@proveklar/contract/question-quality.ts';
import { CheckmarkCircleFillIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import { formatCount } from '#lib/format-compact.ts';
import { formatPercent } from '#lib/format.ts';
import { textIn } from '#lib/question-language.ts';
import styles from './option-bars.module.css';

type OptionBarsProps = { options: readonly OptionShare[]; language: string };

/** How many chose each option; the right one has a sign and a word, not only a colour. */
export function OptionBars({ options, language }: OptionBarsProps) {
  const { t, i18n } = useTranslation('admin');
  return (
    <ul className={styles.options} aria-label={t('quality.options')}>
      {options.map(({ option, is_key, share, times_chosen }) => (
        <li key={option} data-key={is_key || undefined}>
          <span className={styles.option}>
            <span {...textIn(language)}>{option}</span>
            {is_key && (
              <span className={styles.key}>
                <CheckmarkCircleFillIcon aria-hidden /> {t('quality.key')}
              </span>
            )}
          </span>
          <span className={styles.amount}>
            {share === null ? '–' : formatPercent(share)}{' '}
            <small>
              {t('quality.times', {
                count: times_chosen,
                n: formatCount(times_chosen, i18n.language),
              })}
            </small>
          </span>
          <span className={styles.bar} aria-hidden="true">
            <span style={{ transform: `scaleX(${share ?? 0})` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}
