import type { TFunction } from 'i18next';

/** Seconds in whole minutes, however many. */
export function timeSpent(seconds: number, t: TFunction<'learner'>): string {
  return t('history.minutes', { count: Math.round(seconds / 60) });
}
