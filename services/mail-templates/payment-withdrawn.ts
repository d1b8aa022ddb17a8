import type { AppLanguage } from '@proveklar/contract/language.ts';
import { readAccount } from '#accounts/account.ts';
import { readCredits } from '#accounts/credit-ledger.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { composeMail, type MailContent } from '#mail/compose-mail.ts';
import { formatAmount, formatDate } from '#mail/format.ts';
import {
  currentAddresses,
  type MailAddresses,
  type MailDeps,
  type MailOutcome,
  sendOnce,
} from '#mail/send-once.ts';
import { findReceipt } from '#payments/books/receipt.ts';
import { findPayment } from '#payments/payment.ts';
import { findRefund } from '#payments/refund.ts';
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

const DAY_MS = 24 * 60 * 60 * 1000;

/** Confirms a withdrawal by mail, on the durable medium that the law requires. */
export async function mailWithdrawal(
  deps: MailDeps,
  { id: eventId, payload }: DeliveredEvent<'payment.withdrawn'>,
): Promise<MailOutcome> {
  const refund = await findRefund(deps.db, payload.refund_id);
  const payment = refund && (await findPayment(deps.db, refund.payment_id));
  if (!refund || !payment?.account_id || !payment.settled_at) {
    throw new Error(`Refund ${payload.refund_id} is of no settled payment`);
  }
  const account = await readAccount(deps.db, payment.account_id);
  if (account.state === 'deleted') return 'no_recipient';
  const { language } = account;
  const credits = await readCredits(deps.db, account.id);
  const own = credits.find((credit) => credit.payment_id === payment.id);
  const others = credits.filter((credit) => credit !== own && credit.days > credit.days_taken_back);
  const passed = own ? refund.created_at.getTime() - own.starts_at.getTime() : 0;
  const content = paymentWithdrawn(
    language,
    {
      name: account.display_name,
      serviceDays: payment.service_days,
      daysUsed: Math.min(Math.max(Math.floor(passed / DAY_MS), 0), payment.service_days),
      amountOre: payment.amount_ore,
      refundOre: refund.amount_ore,
      paidAt: payment.settled_at,
      withdrawnAt: refund.created_at,
      hasBegun: !own?.is_waiting,
      hasOtherAccess: others.some(({ ends_at }) => ends_at > refund.created_at),
      receipt: await findReceipt(deps.db, payment.id),
    },
    await currentAddresses(deps.db, deps.addresses),
  );
  const key = {
    eventId,
    kind: 'payment_withdrawn',
    recipient: { accountId: account.id },
    language,
  };
  return sendOnce(deps, key, account.email, content);
}

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
  /** Its days had begun; otherwise they were waiting for the end of the withdrawal period. */
  hasBegun: boolean;
  /** Other purchases or granted days continue. */
  hasOtherAccess: boolean;
  receipt: ReceiptFacts | null;
}

type Wording = (facts: WithdrawalFacts, addresses: MailAddresses) => MailText;

/** The effect on the access. */
const EFFECT: Record<AppLanguage, (facts: WithdrawalFacts) => string> = {
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

const WORDING: Record<AppLanguage, Wording> = {
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
          'Pengene går tilbake samme vei som du betalte. Det tar vanligvis 5 til 10 bankdager før de er ' +
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
          'The money goes back the same way as you paid. It usually takes 5 to 10 business days before it ' +
          'is in your account.',
      },
      { paragraph: EFFECT.en(facts) },
      questions('en', supportEmail),
    ],
  }),
};

/** The mail that confirms a withdrawal from a purchase, for the learner to keep, as the law requires. */
export function paymentWithdrawn(
  language: AppLanguage,
  facts: WithdrawalFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](facts, addresses) });
}
