import { useTranslation } from 'react-i18next';
import { formatPercent } from '#lib/format.ts';

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

/** How hard a question is, by its facility. */
export function difficultyOf(facility: number): 'very_easy' | 'easy' | 'medium' | 'hard' {
  if (facility >= 0.9) return 'very_easy';
  if (facility >= 0.7) return 'easy';
  return facility >= 0.4 ? 'medium' : 'hard';
}

/** How well a question tells those who know from those who do not, by its discrimination. */
export function discriminationOf(value: number): 'good' | 'fair' | 'poor' | 'negative' {
  if (value < 0) return 'negative';
  if (value >= 0.3) return 'good';
  return value >= 0.1 ? 'fair' : 'poor';
}
