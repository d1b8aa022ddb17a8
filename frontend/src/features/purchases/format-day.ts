import { languageTag } from '@proveklar/contract/language.ts';

/**
 * ISO time → "14. januar 2025", or "14.01.2025" on an English screen: the day in Norway wherever the
 * learner is, for a receipt's date is fixed, and the law counts Norwegian days.
 */
export function formatDay(iso: string, language: string): string {
  const dateStyle = languageTag(language) === 'en' ? 'short' : 'long';
  const format = new Intl.DateTimeFormat('nb-NO', { dateStyle, timeZone: 'Europe/Oslo' });
  // The day is not torn from its month.
  return format.format(new Date(iso)).replace(' ', '\u00A0');
}
