import type { MeasuredDifficulty } from '@proveklar/contract/question-quality.ts';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '#lib/format.ts';

/** The facility, discrimination and measured difficulty of a question as texts, each with a word for its meaning. */
export function useFigureText() {
  const { t, i18n } = useTranslation('admin');
  const number = new Intl.NumberFormat(i18n.language === 'en' ? 'en-GB' : 'nb-NO', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const signed = new Intl.NumberFormat(i18n.language === 'en' ? 'en-GB' : 'nb-NO', {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  });
  return {
    /** @param isSure whether there are enough answers to call it easy or hard */
    facility: (value: number | null, isSure: boolean) =>
      value === null
        ? '–'
        : isSure
          ? `${formatPercent(value, i18n.language)} (${t(`quality.difficulty.${difficultyOf(value)}`)})`
          : formatPercent(value, i18n.language),
    discrimination: (value: number | null, isSure: boolean) =>
      value === null
        ? '–'
        : isSure
          ? `${number.format(value)} (${t(`quality.discrimination.${discriminationOf(value)}`)})`
          : number.format(value),
    /** Undefined from a gateway of the previous release. */
    measured: (value: MeasuredDifficulty | undefined) =>
      value
        ? `${signed.format(value.logits)} (${t(`quality.measured.${measuredOf(value.logits)}`)})`
        : t('quality.not_measured'),
  };
}

/** The difficulty of a question, by its facility. */
export function difficultyOf(facility: number): 'very_easy' | 'easy' | 'medium' | 'hard' {
  if (facility >= 0.9) return 'very_easy';
  if (facility >= 0.7) return 'easy';
  return facility >= 0.4 ? 'medium' : 'hard';
}

/**
 * The measured difficulty of a question in a word. Its standard deviation over a bank is about 0.8 logits, so a
 * third of the questions are like most, and one in ten on each side is much easier or harder.
 */
export function measuredOf(
  logits: number,
): 'much_easier' | 'easier' | 'average' | 'harder' | 'much_harder' {
  if (logits >= 1) return 'much_harder';
  if (logits >= 0.35) return 'harder';
  if (logits > -0.35) return 'average';
  return logits > -1 ? 'easier' : 'much_easier';
}

/** How well a question separates strong from weak learners, by its discrimination. */
export function discriminationOf(value: number): 'good' | 'fair' | 'poor' | 'negative' {
  if (value < 0) return 'negative';
  if (value >= 0.3) return 'good';
  return value >= 0.1 ? 'fair' : 'poor';
}
