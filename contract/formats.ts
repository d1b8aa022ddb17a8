import { languageTag } from './language.ts';

// How a page writes values: here, because the gateway and the browser must write the same.

/** 149 → "149 kr", 149.5 → "149,50 kr"; "NOK 149" and "NOK 149.50" in the English version. */
export function formatKroner(kroner: number, language: string): string {
  const isEnglish = languageTag(language) === 'en';
  const number = new Intl.NumberFormat(isEnglish ? 'en-GB' : 'nb-NO', {
    minimumFractionDigits: Number.isInteger(kroner) ? 0 : 2,
    maximumFractionDigits: 2,
  }).format(kroner);
  return isEnglish ? `NOK\u00a0${number}` : `${number}\u00a0kr`;
}

/** ISO time → "14. januar 2025"; "14 January 2025" on an English screen. */
export function formatDate(iso: string, language: string): string {
  const locale = languageTag(language) === 'en' ? 'en-GB' : 'nb-NO';
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(new Date(iso));
}

/** The name of a site: "halden.kommune.no". */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^www[.]/u, '');
