import { formatDate, formatKroner } from '@proveklar/contract/formats.ts';
import { languageTag } from '@proveklar/contract/language.ts';

export { formatDate, formatKroner };

/** Øre → "149,00 NOK"; "149.00 NOK" on an English page. Only where a learner pays: the specified format of those steps. */
export function formatNok(ore: number, language: string): string {
  const number = new Intl.NumberFormat(localeOf(language), {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(ore / 100);
  return `${number}\u00a0NOK`;
}

/** A share between 0 and 1 → "83 %"; "83%" on an English screen. */
export function formatPercent(share: number, language: string): string {
  const style = { style: 'percent', maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(localeOf(language), style).format(share);
}

/** ISO time → "14. jan."; "14 Jan" on an English screen. */
export function formatDayMonth(iso: string, language: string): string {
  const style = { day: 'numeric', month: 'short' } as const;
  return new Intl.DateTimeFormat(localeOf(language), style).format(new Date(iso));
}

/** ISO time → "14. januar 2025 kl. 13.05"; "14 January 2025, 13:05" on an English screen. */
export function formatDateTime(iso: string, language: string): string {
  const [date, time] = [formatDate(iso, language), formatTime(iso, language)];
  // A no-break space keeps the time with "kl.".
  return languageTag(language) === 'en' ? `${date}, ${time}` : `${date} kl.\u00a0${time}`;
}

/** ISO time → "13.05"; "13:05" on an English screen. */
export function formatTime(iso: string, language: string): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(new Date(iso));
  return languageTag(language) === 'en' ? time : time.replace(':', '.');
}

function localeOf(language: string): string {
  return languageTag(language) === 'en' ? 'en-GB' : 'nb-NO';
}
