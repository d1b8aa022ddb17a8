import { languageTag } from '@proveklar/contract/language.ts';
import { formatKroner, formatTime } from './format.ts';

// Short formats for tables. A file of its own, because the learners' pages do not need it.
export const localeOf = (language: string) => (languageTag(language) === 'en' ? 'en-GB' : 'nb-NO');

/** ISO time → "14. jan. 2025"; "14 Jan 2025" in the English version. */
export function formatShortDate(iso: string, language: string): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium' }).format(new Date(iso));
}

/** ISO time → "14. jan. 2025 kl. 13.05"; "14 Jan 2025, 13:05" in the English version. */
export function formatShortDateTime(iso: string, language: string): string {
  const [date, time] = [formatShortDate(iso, language), formatTime(iso, language)];
  return languageTag(language) === 'en' ? `${date}, ${time}` : `${date} kl.\u00a0${time}`;
}

/** "2026-03" → "mars 2026"; "March 2026" in the English version. */
export function formatMonth(month: string, language: string): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`));
}

/** Øre in a table of accounts, always with two decimals: 14900 → "149,00 kr"; "NOK 149.00" in the English version. */
export const formatOre = (ore: number, language: string): string =>
  formatKroner(ore / 100, language, 2);

/** 1000000 → "1 000 000", 199.5 → "199,5"; "1,000,000" and "199.5" in the English version. */
export function formatCount(count: number, language: string): string {
  return new Intl.NumberFormat(localeOf(language)).format(count);
}
