import type { Language } from '#accounts/language.ts';
import { composeMail, type MailContent } from './compose-mail.ts';
import { formatAmount, formatDate } from './format.ts';
import type { MailAddresses } from './payment-confirmation.ts';
import {
  formatDays,
  formatMoment,
  greeting,
  questions,
  receiptFacts,
  sellerFacts,
  type Letter,
  type ReceiptFacts,
} from './wording.ts';

export interface WithdrawalFacts {
  /** As the learner typed it; null for none. */
  name: string | null;
  serviceDays: number;
  daysUsed: number;
  /** Øre, including VAT. */
  amountOre: number;
  refundOre: number;
  paidAt: Date;
  withdrawnAt: Date;
  /** Its days had begun; otherwise they waited for the end of the withdrawal period. */
  hasBegun: boolean;
  /** Other purchases, or days that were given, go on. */
  hasOtherAccess: boolean;
  receipt: ReceiptFacts | null;
}

/** Confirms to a learner that they withdrew from a purchase, to be kept: the law asks for it. */
export function paymentWithdrawn(
  language: Language,
  facts: WithdrawalFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](facts, addresses) });
}

type Wording = (facts: WithdrawalFacts, addresses: MailAddresses) => Letter;

const WORDING: Record<Language, Wording> = {
  no: (facts, { supportEmail }) => ({
    subject: 'Du har angret kjøpet',
    blocks: [
      greeting('no', facts.name),
      { paragraph: 'Vi bekrefter at du har angret kjøpet. Ta vare på denne e-posten.' },
      {
        facts: [
          ['Du kjøpte', `Tilgang til Prøveklar i ${formatDays(facts.serviceDays, 'no')}`],
          ['Betalt', `${formatAmount(facts.amountOre, 'no')}, ${formatDate(facts.paidAt, 'no')}`],
          ['Angret', formatMoment(facts.withdrawnAt, 'no')],
          ['Dager du har brukt', `${facts.daysUsed} av ${facts.serviceDays}`],
          ['Du får tilbake', formatAmount(facts.refundOre, 'no')],
          ...receiptFacts('no', facts.receipt),
          ...sellerFacts('no', facts.receipt),
        ],
      },
      {
        paragraph:
          'Pengene går til kortet du betalte med. Det tar vanligvis 5 til 10 bankdager før de er ' +
          'på kontoen din.',
      },
      { paragraph: EFFECT.no(facts) },
      questions('no', supportEmail),
    ],
  }),
  en: (facts, { supportEmail }) => ({
    subject: 'You have withdrawn from your purchase',
    blocks: [
      greeting('en', facts.name),
      { paragraph: 'We confirm that you have withdrawn from the purchase. Keep this email.' },
      {
        facts: [
          ['You bought', `Access to Prøveklar for ${formatDays(facts.serviceDays, 'en')}`],
          ['Paid', `${formatAmount(facts.amountOre, 'en')}, ${formatDate(facts.paidAt, 'en')}`],
          ['Withdrawn', formatMoment(facts.withdrawnAt, 'en')],
          ['Days you have used', `${facts.daysUsed} of ${facts.serviceDays}`],
          ['You get back', formatAmount(facts.refundOre, 'en')],
          ...receiptFacts('en', facts.receipt),
          ...sellerFacts('en', facts.receipt),
        ],
      },
      {
        paragraph:
          'The money goes to the card you paid with. It usually takes 5 to 10 bank days before it ' +
          'is in your account.',
      },
      { paragraph: EFFECT.en(facts) },
      questions('en', supportEmail),
    ],
  }),
};

/** What becomes of the access. */
const EFFECT: Record<Language, (facts: WithdrawalFacts) => string> = {
  no({ hasBegun, hasOtherAccess }) {
    const other = 'Du har fortsatt andre dager igjen. Under «Konto» ser du hvor lenge.';
    const results = 'Resultatene dine er fortsatt på kontoen din.';
    if (!hasBegun) {
      return `Dagene fra dette kjøpet begynner ikke. ${hasOtherAccess ? other : results}`;
    }
    if (hasOtherAccess) return `Tilgangen fra dette kjøpet slutter nå. ${other}`;
    return `Tilgangen slutter nå. ${results}`;
  },
  en({ hasBegun, hasOtherAccess }) {
    const other = 'You still have other days left. Under “Account” you can see how long.';
    const results = 'Your results are still in your account.';
    if (!hasBegun) {
      return `The days from this purchase will not begin. ${hasOtherAccess ? other : results}`;
    }
    if (hasOtherAccess) return `Your access from this purchase ends now. ${other}`;
    return `Your access ends now. ${results}`;
  },
};
