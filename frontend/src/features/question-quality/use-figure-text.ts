import { useTranslation } from 'react-i18next';
import { formatPercent } from '#lib/format.ts';
import { difficultyOf, discriminationOf } from './judge-figures.ts';

/** The two figures of a question, each with a word for what it means. */
export function useFigureText() {
  const { t, i18n } = useTranslation('admin');
  const number = new Intl.NumberFormat(i18n.language === 'en' ? 'en-GB' : 'nb-NO', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return {
    facility: (value: number | null) =>
      value === null
        ? '–'
        : `${formatPercent(value)} (${t(`quality.difficulty.${difficultyOf(value)}`)})`,
    discrimination: (value: number | null) =>
      value === null
        ? '–'
        : `${number.format(value)} (${t(`quality.discrimination.${discriminationOf(value)}`)})`,
  };
}
