import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { Block } from '#mail/compose-mail.ts';
import { formatDate, formatTime, oneLine } from '#mail/format.ts';
import type { Receipt } from '#payments/books/receipt.ts';

// Text that several mails share.

/** The subject and content of a mail, without its language. */
export interface MailText {
  subject: string;
  blocks: Block[];
}

/** The fields of a receipt that mails show. */
export type ReceiptFacts = Pick<
  Receipt,
  | 'number'
  | 'vat_ore'
  | 'vat_percent'
  | 'period_start'
  | 'period_end'
  | 'seller_name'
  | 'seller_organisation_number'
  | 'seller_address'
>;

/** @param name as its owner typed it; null for none */
export function greeting(language: AppLanguage, name: string | null): Block {
  if (language === 'no') return { paragraph: name ? `Hei, ${oneLine(name)}!` : 'Hei!' };
  return { paragraph: name ? `Hello ${oneLine(name)},` : 'Hello,' };
}

export function questions(language: AppLanguage, supportEmail: string): Block {
  return {
    paragraph:
      language === 'no'
        ? `Har du spørsmål? Skriv til ${supportEmail}.`
        : `Do you have questions? Write to ${supportEmail}.`,
  };
}

/** "20. desember 2026 kl. 13.05" or "20 December 2026 at 13:05 (Norwegian time)". */
export function formatMoment(date: Date, language: AppLanguage): string {
  const [day, time] = [formatDate(date, language), formatTime(date, language)];
  return language === 'no' ? `${day} kl. ${time}` : `${day} at ${time} (Norwegian time)`;
}

/** "1 dag", "30 days". */
export function formatDays(count: number, language: AppLanguage): string {
  if (language === 'no') return `${count} ${count === 1 ? 'dag' : 'dager'}`;
  return `${count} day${count === 1 ? '' : 's'}`;
}

/** The label of the VAT that an amount includes. */
export function vatIncluded(language: AppLanguage, percent: number): string {
  return language === 'no' ? `Av dette mva. (${percent} %)` : `Of which VAT (${percent}%)`;
}

/** The seller, as far as an administrator has entered it. */
export function sellerFacts(
  language: AppLanguage,
  receipt: Pick<ReceiptFacts, 'vat_percent' | (`seller_${string}` & keyof ReceiptFacts)> | null,
): [string, string][] {
  if (!receipt) return [];
  const { seller_name: name, seller_organisation_number: number, seller_address } = receipt;
  const digits = number?.replaceAll(/\d{3}(?=\d)/g, '$&\u00A0');
  const organisation = digits && receipt.vat_percent > 0 ? `${digits}\u00A0MVA` : digits;
  const address = seller_address?.split('\n').map(oneLine).filter(Boolean).join(', ');
  const rows: [string, string | null | undefined][] =
    language === 'no'
      ? [
          ['Selger', name && oneLine(name)],
          ['Organisasjonsnummer', organisation],
          ['Adresse', address],
        ]
      : [
          ['Seller', name && oneLine(name)],
          ['Organisation number', organisation],
          ['Address', address],
        ];
  return rows.filter((row): row is [string, string] => Boolean(row[1]));
}

/** The receipt number, if there is a receipt. */
export function receiptFacts(
  language: AppLanguage,
  receipt: ReceiptFacts | null,
): [string, string][] {
  if (!receipt) return [];
  return [[language === 'no' ? 'Kvitteringsnummer' : 'Receipt number', String(receipt.number)]];
}
