import { languageTag } from '#i18n/language.ts';

// Amounts and dates follow Norwegian usage in both languages: they are Norwegian kroner and days.
const LOCALE = 'nb-NO';

export { formatKroner } from '@proveklar/gateway/contract/price.ts';

/** Øre → "149.00 NOK" with Norwegian separators, for where the exact amount is confirmed. */
export function formatNok(ore: number): string {
  const number = new Intl.NumberFormat(LOCALE, {
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

/** ISO time → "14. januar 2025"; English words in the English version. */
export function formatDate(iso: string, language: string): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long' }).format(new Date(iso));
}

/** ISO time → "14. jan."; English words in the English version. */
export function formatDay(iso: string, language: string): string {
  return new Intl.DateTimeFormat(localeOf(language), { day: 'numeric', month: 'short' }).format(
    new Date(iso),
  );
}

/** ISO time → "14. januar 2025 kl. 13:05"; English words in the English version. */
export function formatDateTime(iso: string, language: string): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: 'long',
    timeStyle: 'short',
  }).format(new Date(iso));
}

function localeOf(language: string): string {
  return languageTag(language) === 'en' ? 'en-GB' : LOCALE;
}
