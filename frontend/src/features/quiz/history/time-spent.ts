import type { TFunction } from 'i18next';

/** Seconds as people say them. Somebody who goes on the next day has not practised for a day. */
export function timeSpent(seconds: number, t: TFunction<'learner'>): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return t('history.under_a_minute');
  if (minutes < 180) return t('history.minutes', { count: minutes });
  return t('history.over_hours', { count: Math.floor(minutes / 60) });
}
