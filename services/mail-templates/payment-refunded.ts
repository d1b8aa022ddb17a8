import type { AppLanguage } from '@proveklar/contract/language.ts';
import { readAccount } from '#accounts/account.ts';
import { readCredits } from '#accounts/credit-ledger.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { composeMail, type MailContent } from '#mail/compose-mail.ts';
import { formatAmount, formatDate } from '#mail/format.ts';
import {
  currentAddresses,
  type MailAddresses,
  type MailByAddress,
  type MailDeps,
  type MailOutcome,
  sendOnce,
} from '#mail/send-once.ts';
import { findReceipt } from '#payments/books/receipt.ts';
import { countCodes } from '#payments/codes/packet-codes.ts';
import { daysTakenBack } from '#payments/books/record-stripe-state.ts';
import { findPayment, type Payment } from '#payments/payment.ts';
import { findRefund, type Refund } from '#payments/refund.ts';
import { type PacketMailDeps, packetUrl } from './code-packet.ts';
import {
  formatDays,
  formatMoment,
  greeting,
  type MailText,
  questions,
  receiptFacts,
  type ReceiptFacts,
  sellerFacts,
} from './wording.ts';

/** Mails the payer about a refund, also when the payment never created an account. */
export async function mailRefund(
  deps: PacketMailDeps,
  { id: eventId, payload }: DeliveredEvent<'payment.refunded'>,
): Promise<MailOutcome> {
  const refund = await findRefund(deps.db, payload.refund_id);
  const payment = refund && (await findPayment(deps.db, refund.payment_id));
  if (!payment) throw new Error(`There is no refund ${payload.refund_id}`);
  if (payment.purpose === 'packet') return mailPacketRefund(deps, eventId, payment, refund);
  const target = await findRecipient(deps, payment, refund);
  if (!target) return 'no_recipient';
  const { recipient, formerEmail, email, language, facts } = target;
  const content = paymentRefunded(language, facts, await currentAddresses(deps.db, deps.addresses));
  const key: MailByAddress = {
    eventId,
    kind: 'payment_refunded',
    recipient,
    formerEmail,
    language,
  };
  return sendOnce(deps, key, email, content);
}

/** Mails the buyer of a packet what was refunded, and how many codes can still be used. */
async function mailPacketRefund(
  deps: PacketMailDeps,
  eventId: string,
  { id, email, language }: Payment,
  { amount_ore: refundOre }: Refund,
): Promise<MailOutcome> {
  if (!email) return 'no_recipient';
  const { unused } = await countCodes(deps.db, id);
  const { supportEmail } = await currentAddresses(deps.db, deps.addresses);
  const url = packetUrl(deps, id);
  const receipt = await findReceipt(deps.db, id);
  const text = PACKET[language]({ refundOre, unused, url, supportEmail, receipt });
  const key: MailByAddress = { eventId, kind: 'payment_refunded', recipient: { email }, language };
  return sendOnce(deps, key, email, composeMail({ language, ...text }));
}

interface PacketRefundFacts {
  refundOre: number;
  /** Codes that can still be used. */
  unused: number;
  /** The page of the packet. */
  url: string;
  supportEmail: string;
  receipt: ReceiptFacts | null;
}

const PACKET: Record<AppLanguage, (facts: PacketRefundFacts) => MailText> = {
  no: ({ refundOre, unused, url, supportEmail, receipt }) => ({
    subject: 'Du har fått penger tilbake',
    blocks: [
      greeting('no', null),
      {
        paragraph:
          `Vi har betalt tilbake ${formatAmount(refundOre, 'no')} for koder til Prøveklar. Pengene går til ` +
          'kortet du betalte med. Det tar vanligvis 5 til 10 bankdager før de er på kontoen din.',
      },
      {
        paragraph:
          unused === 0
            ? 'Koder som ikke var brukt, kan ikke brukes lenger. De som har brukt en kode, beholder dagene sine.'
            : `${unused} ${unused === 1 ? 'kode' : 'koder'} kan fortsatt brukes.`,
      },
      { facts: [...receiptFacts('no', receipt), ...sellerFacts('no', receipt)] },
      { link: 'Siden til pakken', url },
      questions('no', supportEmail),
    ],
  }),
  en: ({ refundOre, unused, url, supportEmail, receipt }) => ({
    subject: 'You have been refunded',
    blocks: [
      greeting('en', null),
      {
        paragraph:
          `We have refunded ${formatAmount(refundOre, 'en')} for codes for Prøveklar. The money goes to the ` +
          'card you paid with. It usually takes 5 to 10 business days before it is in your account.',
      },
      {
        paragraph:
          unused === 0
            ? 'Codes that were not used can no longer be used. Those who have used a code keep their days.'
            : `${unused} ${unused === 1 ? 'code' : 'codes'} can still be used.`,
      },
      { facts: [...receiptFacts('en', receipt), ...sellerFacts('en', receipt)] },
      { link: 'The page of the packet', url },
      questions('en', supportEmail),
    ],
  }),
};

export interface RefundFacts {
  /** As the learner typed it; null for none. */
  name: string | null;
  /** Øre refunded now. */
  refundOre: number;
  /** Øre paid, including VAT. */
  amountOre: number;
  /** Null for a payment that never gave access. */
  paidAt: Date | null;
  /** Days taken back by all refunds of the payment. */
  daysTakenBack: number;
  /** The new end of the account's access; null when it has ended, or never began. */
  accessUntil: Date | null;
  /** When the remaining days of this payment begin; null when none are waiting. */
  beginsAt: Date | null;
  receipt: ReceiptFacts | null;
}

async function findRecipient({ db }: MailDeps, payment: Payment, refund: Refund) {
  const facts: RefundFacts = {
    name: payment.username,
    refundOre: refund.amount_ore,
    amountOre: payment.amount_ore,
    paidAt: payment.settled_at,
    daysTakenBack: daysTakenBack(payment),
    accessUntil: null,
    beginsAt: null,
    receipt: null,
  };
  if (!payment.account_id) {
    const { email, language } = payment;
    return email ? { recipient: { email }, formerEmail: null, email, language, facts } : null;
  }
  const account = await readAccount(db, payment.account_id);
  if (account.state === 'deleted') return null;
  const { id: accountId, email, language, service_expires_at: end } = account;
  const credits = await readCredits(db, accountId);
  const credit = credits.find(({ payment_id }) => payment_id === payment.id);
  const isWaiting = credit?.is_waiting && credit.days > credit.days_taken_back;
  return {
    recipient: { accountId },
    formerEmail: payment.email ?? email,
    email,
    language,
    facts: {
      ...facts,
      name: account.display_name,
      accessUntil: end && end > new Date() ? end : null,
      beginsAt: isWaiting ? credit.starts_at : null,
      receipt: await findReceipt(db, payment.id),
    },
  };
}

type Wording = (facts: RefundFacts, addresses: MailAddresses) => MailText;

/** The effect on the access. */
const EFFECT: Record<AppLanguage, (facts: RefundFacts) => string> = {
  no({ paidAt, daysTakenBack, accessUntil, beginsAt }) {
    if (!paidAt) return 'Betalingen hadde ikke gitt deg tilgang. Du trenger ikke å gjøre noe.';
    if (beginsAt) {
      const begin = `begynner ${formatMoment(beginsAt, 'no')}.`;
      if (daysTakenBack === 0) return `Du beholder alle dagene. De ${begin}`;
      return `Du har ${formatDays(daysTakenBack, 'no')} mindre enn du kjøpte. Resten ${begin}`;
    }
    if (!accessUntil) return 'Tilgangen din er slutt nå. Resultatene dine er fortsatt på kontoen.';
    const until = `Tilgangen din varer til ${formatMoment(accessUntil, 'no')}.`;
    if (daysTakenBack === 0) return `Du beholder alle dagene. ${until}`;
    return `Tilgangen er ${formatDays(daysTakenBack, 'no')} kortere enn du kjøpte. ${until}`;
  },
  en({ paidAt, daysTakenBack, accessUntil, beginsAt }) {
    if (!paidAt) return 'The payment had not given you access. You do not need to do anything.';
    if (beginsAt) {
      const begin = formatMoment(beginsAt, 'en');
      if (daysTakenBack === 0) return `You keep all your days. They begin on ${begin}.`;
      return `You have ${formatDays(daysTakenBack, 'en')} less than you bought. The rest begins on ${begin}.`;
    }
    if (!accessUntil) {
      return 'Your access has ended now. Your results are still in your account.';
    }
    const until = `Your access lasts until ${formatMoment(accessUntil, 'en')}.`;
    if (daysTakenBack === 0) return `You keep all your days. ${until}`;
    return `Your access is ${formatDays(daysTakenBack, 'en')} shorter than you bought. ${until}`;
  },
};

const WORDING: Record<AppLanguage, Wording> = {
  no: (facts, { supportEmail }) => ({
    subject: 'Du har fått penger tilbake',
    blocks: [
      greeting('no', facts.name),
      { paragraph: 'Vi har betalt penger tilbake, samme vei som du betalte.' },
      {
        facts: [
          ['Betalt tilbake', formatAmount(facts.refundOre, 'no')],
          ['Du betalte', paidText(facts, 'no')],
          ...receiptFacts('no', facts.receipt),
          ...sellerFacts('no', facts.receipt),
        ],
      },
      { paragraph: 'Det tar vanligvis 5 til 10 bankdager før pengene er på kontoen din.' },
      { paragraph: EFFECT.no(facts) },
      questions('no', supportEmail),
    ],
  }),
  en: (facts, { supportEmail }) => ({
    subject: 'You have been paid back',
    blocks: [
      greeting('en', facts.name),
      { paragraph: 'We have paid money back, the same way as you paid.' },
      {
        facts: [
          ['Paid back', formatAmount(facts.refundOre, 'en')],
          ['You paid', paidText(facts, 'en')],
          ...receiptFacts('en', facts.receipt),
          ...sellerFacts('en', facts.receipt),
        ],
      },
      { paragraph: 'It usually takes 5 to 10 business days before the money is in your account.' },
      { paragraph: EFFECT.en(facts) },
      questions('en', supportEmail),
    ],
  }),
};

function paidText({ amountOre, paidAt }: RefundFacts, language: AppLanguage): string {
  const amount = formatAmount(amountOre, language);
  return paidAt ? `${amount}, ${formatDate(paidAt, language)}` : amount;
}

/** The mail about a refund and its effect on the access. */
export function paymentRefunded(
  language: AppLanguage,
  facts: RefundFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](facts, addresses) });
}
