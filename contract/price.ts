import { languageTag } from './language.ts';

/**
 * 149 → "149 kr", 149.5 → "149,50 kr"; "NOK 149" and "NOK 149.50" in the English version. The gateway
 * writes it into a page and the browser writes it again, so they share it.
 */
export function formatKroner(kroner: number, language: string): string {
  const isEnglish = languageTag(language) === 'en';
  const number = new Intl.NumberFormat(isEnglish ? 'en-GB' : 'nb-NO', {
    minimumFractionDigits: Number.isInteger(kroner) ? 0 : 2,
    maximumFractionDigits: 2,
  }).format(kroner);
  return isEnglish ? `NOK\u00a0${number}` : `${number}\u00a0kr`;
}
