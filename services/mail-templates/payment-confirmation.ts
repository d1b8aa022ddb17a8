import type { AppLanguage } from '@proveklar/contract/language.ts';
import { type Account, readAccount } from '#accounts/account.ts';
import { readCredits } from '#accounts/credit-ledger.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { type Block, composeMail, type MailContent } from '#mail/compose-mail.ts';
import { formatAmount, formatDate } from '#mail/format.ts';
import {
  currentAddresses,
  type MailAddresses,
  type MailOutcome,
  sendOnce,
  type SignInMailDeps,
} from '#mail/send-once.ts';
import { findReceipt } from '#payments/books/receipt.ts';
import { withdrawalDeadline } from '#payments/books/withdrawal.ts';
import { findPayment, type Payment } from '#payments/payment.ts';
import {
  formatDays,
  formatMoment,
  greeting,
  type MailText,
  questions,
  receiptFacts,
  type ReceiptFacts,
  sellerFacts,
  vatIncluded,
} from './wording.ts';

/**
 * Mails the confirmation of a payment to the owner of the account that it extended.
 *
 * @returns `no_recipient` when the account was deleted meanwhile
 * @throws AppError `identity_provider_failed`
 */
export async function mailPaymentConfirmation(
  deps: SignInMailDeps,
  { id: eventId, payload }: DeliveredEvent<'payment.succeeded'>,
): Promise<MailOutcome> {
  const account = await readAccount(deps.db, payload.account_id);
  const payment = await findPayment(deps.db, payload.payment_id);
  if (account.state === 'deleted') return 'no_recipient';
  const credits = await readCredits(deps.db, account.id);
  const credit = credits.find(({ payment_id }) => payment_id === payload.payment_id);
  if (!payment?.settled_at || !credit) {
    throw new Error(`Payment ${payload.payment_id} is not settled`);
  }
  const content = paymentConfirmation(
    account.language,
    {
      paymentId: payment.id,
      name: account.display_name,
      amountOre: payment.amount_ore,
      paidAt: payment.settled_at,
      serviceDays: payment.service_days,
      // The current end: a later payment has moved it further.
      expiresAt: (credit.is_waiting ? null : account.service_expires_at) ?? credit.ends_at,
      beginsAt: credit.is_waiting ? credit.starts_at : null,
      receipt: await findReceipt(deps.db, payment.id),
      consentedAt: payment.consented_at,
      withdrawUntil: withdrawalDeadline(payment.settled_at),
      accountExisted: payment.account_existed === true && !payment.address_reclaimed,
      needsPassword: await needsPassword(deps, account, payment),
    },
    await currentAddresses(deps.db, deps.addresses),
  );
  const { language } = account;
  const recipient = { accountId: account.id };
  const key = { eventId, kind: 'payment_confirmation', recipient, language };
  return sendOnce(deps, key, account.email, content);
}

/** Whether the webhook created the account, so that its learner could not choose a password. */
async function needsPassword(
  { identity }: SignInMailDeps,
  { uid }: Account,
  { id, purpose }: Payment,
): Promise<boolean> {
  if (purpose !== 'registration' || uid !== id) return false;
  const user = await identity.findByUid(uid);
  return user !== null && !user.hasPassword && !user.hasSignedIn;
}

export interface PaymentFacts {
  paymentId: string;
  /** As the learner typed it; null for none. */
  name: string | null;
  /** Øre, including VAT. */
  amountOre: number;
  paidAt: Date;
  serviceDays: number;
  expiresAt: Date;
  /** When these days begin, if that is after the withdrawal period; null for immediately. */
  beginsAt: Date | null;
  /** Null for a payment that was settled before receipts existed. */
  receipt: ReceiptFacts | null;
  /** When the learner consented to an immediate start of the service; null without consent. */
  consentedAt: Date | null;
  /** The deadline for withdrawal. */
  withdrawUntil: Date;
  /** The address already had an account, which was extended. */
  accountExisted: boolean;
  /** The webhook created the account: a link to choose a password was mailed. */
  needsPassword: boolean;
}

type Wording = (facts: PaymentFacts, addresses: MailAddresses) => MailText;

const WORDING: Record<AppLanguage, Wording> = {
  no: (facts, { publicUrl, supportEmail }) => ({
    subject: 'Bekreftelse på betaling',
    blocks: [
      greeting('no', facts.name),
      {
        paragraph: facts.beginsAt
          ? `Takk for betalingen. Dagene du har kjøpt, begynner ${formatMoment(facts.beginsAt, 'no')}. ` +
            'Da er fristen for å angre over. Det er fordi e-postadressen eller kortet er brukt til et ' +
            'kjøp som ble angret, og du ikke ba om at tilgangen skulle starte med en gang.'
          : 'Takk for betalingen. Du har nå tilgang til Prøveklar.',
      },
      ...blockIf(facts.needsPassword, {
        paragraph:
          'Du må velge passord på nytt. Vi har sendt deg en egen e-post med en lenke. Bruk ' +
          'lenken til å velge passord. Hvis du ikke finner e-posten, se i søppelposten.',
      }),
      ...blockIf(facts.accountExisted, {
        paragraph:
          'Du hadde en konto med denne e-postadressen fra før. Vi har lagt dagene til den. ' +
          'Passordet ditt er det samme som før. Hvis du ikke har betalt selv, skriv til oss.',
      }),
      {
        facts: [
          ['Du har kjøpt', `Tilgang til Prøveklar i ${formatDays(facts.serviceDays, 'no')}`],
          [withVat(facts.receipt, 'Beløp', 'inkludert mva.'), formatAmount(facts.amountOre, 'no')],
          ...vatFact('no', facts.receipt),
          ['Betalt', formatDate(facts.paidAt, 'no')],
          ...periodFact('no', facts.receipt),
          ...beginningFact('no', facts.beginsAt),
          ['Tilgangen varer til', formatMoment(facts.expiresAt, 'no')],
          ...receiptFacts('no', facts.receipt),
          ...sellerFacts('no', facts.receipt),
        ],
      },
      {
        link: 'Kvittering som du kan skrive ut',
        url: `${publicUrl}/quiz/receipts/${facts.paymentId}`,
      },
      {
        paragraph:
          'Dette er ikke et abonnement. Tilgangen slutter av seg selv, og vi trekker ikke flere ' +
          'beløp fra kortet ditt.',
      },
      ...blockIf(facts.consentedAt !== null, {
        paragraph:
          'Før du betalte, ba du om at tilgangen skulle starte med en gang. Du sa også ja til at ' +
          'du betaler for dagene du har hatt tilgang, hvis du angrer.',
      }),
      {
        paragraph:
          'Du kan angre kjøpet uten å si hvorfor. Fristen er ' +
          `${formatMoment(facts.withdrawUntil, 'no')}. Hvis du angrer, får du tilbake ` +
          (facts.consentedAt ? 'pengene for dagene du ikke har brukt.' : 'alle pengene.'),
      },
      { link: 'Slik angrer du, med angrerettskjema', url: `${publicUrl}/angrerett` },
      { link: 'Her kan du øve', url: `${publicUrl}/quiz` },
      questions('no', supportEmail),
    ],
  }),
  en: (facts, { publicUrl, supportEmail }) => ({
    subject: 'Confirmation of your payment',
    blocks: [
      greeting('en', facts.name),
      {
        paragraph: facts.beginsAt
          ? `Thank you for your payment. The days you have bought begin on ${formatMoment(facts.beginsAt, 'en')}. ` +
            'The time to withdraw is over then. This is because the email address or the card was used ' +
            'for a purchase that was withdrawn from, and you did not ask for your access to start at once.'
          : 'Thank you for your payment. You now have access to Prøveklar.',
      },
      ...blockIf(facts.needsPassword, {
        paragraph:
          'You must choose a password again. We have sent you a separate email with a link. Use ' +
          'the link to choose a password. If you cannot find the email, look in your spam folder.',
      }),
      ...blockIf(facts.accountExisted, {
        paragraph:
          'You already had an account with this email address. We have added the days to it. Your ' +
          'password is the same as before. If you did not pay yourself, write to us.',
      }),
      {
        facts: [
          ['You have bought', `Access to Prøveklar for ${formatDays(facts.serviceDays, 'en')}`],
          [withVat(facts.receipt, 'Amount', 'including VAT'), formatAmount(facts.amountOre, 'en')],
          ...vatFact('en', facts.receipt),
          ['Paid', formatDate(facts.paidAt, 'en')],
          ...periodFact('en', facts.receipt),
          ...beginningFact('en', facts.beginsAt),
          ['Your access lasts until', formatMoment(facts.expiresAt, 'en')],
          ...receiptFacts('en', facts.receipt),
          ...sellerFacts('en', facts.receipt),
        ],
      },
      {
        link: 'A receipt that you can print',
        url: `${publicUrl}/quiz/receipts/${facts.paymentId}`,
      },
      {
        paragraph:
          'This is not a subscription. Your access ends automatically, and we do not take any more ' +
          'money from your card.',
      },
      ...blockIf(facts.consentedAt !== null, {
        paragraph:
          'Before you paid, you asked for your access to start at once. You also agreed to pay for ' +
          'the days you have had access, if you withdraw.',
      }),
      {
        paragraph:
          'You can withdraw from the purchase without saying why. The deadline is ' +
          `${formatMoment(facts.withdrawUntil, 'en')}. If you withdraw, you get back ` +
          (facts.consentedAt ? 'the money for the days you have not used.' : 'all the money.'),
      },
      { link: 'How to withdraw, and the form', url: `${publicUrl}/angrerett` },
      { link: 'Practise here', url: `${publicUrl}/quiz` },
      questions('en', supportEmail),
    ],
  }),
};

function blockIf(condition: boolean, block: Block): Block[] {
  return condition ? [block] : [];
}

/** The label of the amount. It mentions VAT only if the amount includes VAT. */
function withVat(receipt: ReceiptFacts | null, amount: string, including: string): string {
  return receipt && receipt.vat_percent > 0 ? `${amount} (${including})` : amount;
}

function vatFact(language: AppLanguage, receipt: ReceiptFacts | null): [string, string][] {
  if (!receipt) return [];
  const { vat_percent: percent, vat_ore: ore } = receipt;
  if (percent === 0) {
    return language === 'no'
      ? [['Mva.', '0\u00A0kr: selgeren er ikke registrert for mva.']]
      : [['VAT', 'NOK\u00A00: the seller is not registered for VAT.']];
  }
  return [[vatIncluded(language, percent), formatAmount(ore, language)]];
}

function periodFact(language: AppLanguage, receipt: ReceiptFacts | null): [string, string][] {
  if (!receipt) return [];
  const { period_start: start, period_end: end } = receipt;
  const period = `${formatDate(start, language)} – ${formatDate(end, language)}`;
  return [[language === 'no' ? 'Kjøpet gjelder' : 'The purchase covers', period]];
}

function beginningFact(language: AppLanguage, beginsAt: Date | null): [string, string][] {
  if (!beginsAt) return [];
  const name = language === 'no' ? 'Dagene begynner' : 'The days begin';
  return [[name, formatMoment(beginsAt, language)]];
}

/** The mail that confirms a payment and the days of access it bought. */
export function paymentConfirmation(
  language: AppLanguage,
  facts: PaymentFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](facts, addresses) });
}
