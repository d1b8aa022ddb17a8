import { languageTag } from './language.ts';
import { MAX_COUNTED_QUESTIONS } from './limits.ts';

// How a page writes values: here, because the gateway and the browser must write the same.

/**
 * 149 → "149 kr", 149.5 → "149,50 kr"; "NOK 149" and "NOK 149.50" in the English version. Everything that a person
 * reads has amounts as here: screens, mails and receipts.
 *
 * @param decimals by default none for whole kroner, otherwise two; a column of amounts has two throughout
 */
export function formatKroner(
  kroner: number,
  language: string,
  decimals = Number.isInteger(kroner) ? 0 : 2,
): string {
  const isEnglish = languageTag(language) === 'en';
  const number = new Intl.NumberFormat(isEnglish ? 'en-GB' : 'nb-NO', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(kroner);
  return isEnglish ? `NOK\u00a0${number}` : `${number}\u00a0kr`;
}

/** 1234 → "1 234"; "1,234" in the English version. "10 000+" where no more are counted. */
export function formatQuestionCount(count: number, language: string): string {
  const locale = languageTag(language) === 'en' ? 'en-GB' : 'nb-NO';
  const number = new Intl.NumberFormat(locale).format(count);
  return count < MAX_COUNTED_QUESTIONS ? number : `${number}+`;
}

/** ISO time → "14. januar 2025"; "14 January 2025" on an English screen. */
export function formatDate(iso: string, language: string): string {
  const locale = languageTag(language) === 'en' ? 'en-GB' : 'nb-NO';
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(new Date(iso));
}

/** The name of a site: "halden.kommune.no". */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^www[.]/u, '');
