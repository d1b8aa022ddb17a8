import { formatKroner } from '@proveklar/contract/formats.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';

// Days are Norwegian days, wherever the server runs.
const TIME_ZONE = 'Europe/Oslo';
const LOCALES: Record<AppLanguage, string> = { no: 'nb-NO', en: 'en-GB' };

/** Øre → "149 kr", "149,50 kr"; "NOK 149" in English. As on the screens. */
export const formatAmount = (ore: number, language: AppLanguage): string =>
  formatKroner(ore / 100, language);

/** "20. november 2026" or "20 November 2026", in Norwegian time. */
export function formatDate(date: Date, language: AppLanguage): string {
  return new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: 'long',
    timeZone: TIME_ZONE,
  }).format(date);
}

/** "14.05" or "14:05", in Norwegian time. */
export function formatTime(date: Date, language: AppLanguage): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: TIME_ZONE });
  const text = time.format(date);
  return language === 'no' ? text.replace(':', '.') : text;
}

/**
 * Puts a name that a person typed on one line, without invisible characters. In plain text, text after a
 * line break would look like ours.
 */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
}
