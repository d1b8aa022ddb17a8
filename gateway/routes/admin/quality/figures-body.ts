import type { Figures, OptionCount } from '@proveklar/services/statistics/figures.ts';
import { ENOUGH_ANSWERS } from '@proveklar/services/statistics/thresholds.ts';

/** Figures as the API has them. */
export function toFigures({ answers, facility, quizzes, discrimination }: Figures) {
  return { answers, too_few: answers < ENOUGH_ANSWERS, facility, quizzes, discrimination };
}

/** How the answers are spread over the options. */
export function toShares(options: readonly OptionCount[]) {
  const all = options.reduce((sum, option) => sum + option.times_chosen, 0);
  return options.map((option) => ({
    ...option,
    share: all === 0 ? null : option.times_chosen / all,
  }));
}
