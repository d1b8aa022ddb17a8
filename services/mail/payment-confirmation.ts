import { composeMail, type Block, type MailContent } from './compose-mail.ts';
import { formatAmount, formatDate, formatTime, oneLine } from './format.ts';
import type { Language } from '#accounts/language.ts';

export interface PaymentFacts {
  /** As the learner typed it; null for none. */
  name: string | null;
  /** Øre, including VAT. */
  amountOre: number;
  paidAt: Date;
  serviceDays: number;
  expiresAt: Date;
}

export interface MailAddresses {
  /** Where the product is: the origin, without a slash at the end. */
  publicUrl: string;
  supportEmail: string;
}

/** Confirms to a learner that a payment has become days of access. */
export function paymentConfirmation(
  language: Language,
  facts: PaymentFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](facts, addresses) });
}

type Wording = (
  facts: PaymentFacts,
  addresses: MailAddresses,
) => { subject: string; blocks: Block[] };

const WORDING: Record<Language, Wording> = {
  no: ({ name, amountOre, paidAt, serviceDays, expiresAt }, { publicUrl, supportEmail }) => {
    const until = `${formatDate(expiresAt, 'no')} kl. ${formatTime(expiresAt, 'no')}`;
    return {
      subject: 'Bekreftelse på betaling',
      blocks: [
        { paragraph: name ? `Hei, ${oneLine(name)}!` : 'Hei!' },
        { paragraph: 'Takk for betalingen. Du har nå tilgang til Prøveklar.' },
        {
          facts: [
            ['Du har kjøpt', `Tilgang til Prøveklar i ${serviceDays} ${days(serviceDays)}`],
            ['Beløp (inkludert mva.)', formatAmount(amountOre)],
            ['Betalt', formatDate(paidAt, 'no')],
            ['Tilgangen varer til', until],
          ],
        },
        {
          paragraph:
            'Dette er ikke et abonnement. Tilgangen slutter av seg selv, og vi trekker ikke flere ' +
            'beløp fra kortet ditt.',
        },
        { link: 'Her kan du øve', url: `${publicUrl}/quiz` },
        { paragraph: `Har du spørsmål? Skriv til ${supportEmail}.` },
      ],
    };
  },
  en: ({ name, amountOre, paidAt, serviceDays, expiresAt }, { publicUrl, supportEmail }) => {
    const until = `${formatDate(expiresAt, 'en')} at ${formatTime(expiresAt, 'en')}`;
    return {
      subject: 'Confirmation of your payment',
      blocks: [
        { paragraph: name ? `Hello ${oneLine(name)},` : 'Hello,' },
        { paragraph: 'Thank you for your payment. You now have access to Prøveklar.' },
        {
          facts: [
            ['You have bought', `Access to Prøveklar for ${serviceDays} day${plural(serviceDays)}`],
            ['Amount (including VAT)', formatAmount(amountOre)],
            ['Paid', formatDate(paidAt, 'en')],
            ['Your access lasts until', `${until} (Norwegian time)`],
          ],
        },
        {
          paragraph:
            'This is not a subscription. Your access ends by itself, and we do not take any more ' +
            'money from your card.',
        },
        { link: 'Practise here', url: `${publicUrl}/quiz` },
        { paragraph: `Do you have questions? Write to ${supportEmail}.` },
      ],
    };
  },
};

const days = (count: number) => (count === 1 ? 'dag' : 'dager');
const plural = (count: number) => (count === 1 ? '' : 's');
