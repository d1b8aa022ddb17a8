import { languageTag } from '#i18n/language.ts';

/**
 * ISO time → "14. januar 2025", the day in Norway wherever the learner is: a receipt's date is fixed,
 * and the law counts Norwegian days.
 */
export function formatDay(iso: string, language: string): string {
  const locale = languageTag(language) === 'en' ? 'en-GB' : 'nb-NO';
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'Europe/Oslo' });
  // The day is not torn from its month.
  return format.format(new Date(iso)).replace(' ', '\u00A0');
}
