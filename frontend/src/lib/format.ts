import { languageTag } from '@proveklar/contract/language.ts';

// Dates and shares follow Norwegian usage in both languages: they are of Norway's calendar.
const LOCALE = 'nb-NO';

export { formatKroner } from '@proveklar/contract/page.ts';

/** Øre → "149,00 NOK"; "149.00 NOK" on an English screen. As specified where one is about to pay. */
export function formatNok(ore: number, language: string): string {
  const locale = languageTag(language) === 'en' ? 'en-GB' : LOCALE;
  const number = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(ore / 100);
  return `${number}\u00a0NOK`;
}

/** A share between 0 and 1 → "83 %". */
export function formatPercent(share: number): string {
  return new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 0 }).format(
    share,
  );
}

/** ISO time → "14. januar 2025"; "14.01.2025" on an English screen. */
export function formatDate(iso: string, language: string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: dateStyle(language) }).format(new Date(iso));
}

/** ISO time → "14. jan."; "14.1." on an English screen. */
export function formatDay(iso: string, language: string): string {
  const style = dateStyle(language) === 'long' ? LETTERS : DIGITS;
  return new Intl.DateTimeFormat(LOCALE, style).format(new Date(iso));
}

/** ISO time → "14. januar 2025 kl. 13.05"; "14.01.2025, 13:05" on an English screen. */
export function formatDateTime(iso: string, language: string): string {
  const [date, time] = [formatDate(iso, language), formatTime(iso, language)];
  // The time is not torn from the word before it.
  return languageTag(language) === 'en' ? `${date}, ${time}` : `${date} kl.\u00a0${time}`;
}

/** ISO time → "13.05"; "13:05" on an English screen. */
export function formatTime(iso: string, language: string): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(new Date(iso));
  return languageTag(language) === 'en' ? time : time.replace(':', '.');
}

const LETTERS = { day: 'numeric', month: 'short' } as const;
const DIGITS = { day: 'numeric', month: 'numeric' } as const;

/** A date in digits is Norwegian in English, too; one in letters would be in the wrong language. */
function dateStyle(language: string): 'long' | 'short' {
  return languageTag(language) === 'en' ? 'short' : 'long';
}
