import { readAccount } from '#accounts/account.ts';
import { readCredits } from '#accounts/credit-ledger.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { findPayment, type Payment } from '#payments/payment.ts';
import { findReceipt } from '#payments/receipts/receipt.ts';
import { findRefund, type Refund } from '#payments/refunds/request-refund.ts';
import { daysTakenBack } from '#payments/refunds/reversals.ts';
import { currentAddresses } from './current-addresses.ts';
import { paymentRefunded, type RefundFacts } from './payment-refunded.ts';
import { sendOnce, type MailDeps, type MailOutcome } from './send-once.ts';

/** Tells by mail that money was paid back, also somebody whose payment never became an account. */
export async function tellRefunded(
  deps: MailDeps,
  { id: eventId, payload }: DeliveredEvent<'payment.refunded'>,
): Promise<MailOutcome> {
  const refund = await findRefund(deps.db, payload.refund_id);
  const payment = refund && (await findPayment(deps.db, refund.payment_id));
  if (!payment) throw new Error(`There is no refund ${payload.refund_id}`);
  const reader = await readerOf(deps, payment, refund);
  if (!reader) return 'no_recipient';
  const { recipient, email, language, facts } = reader;
  const content = paymentRefunded(language, facts, await currentAddresses(deps.db, deps.addresses));
  return sendOnce(deps, { eventId, kind: 'payment_refunded', recipient, language }, email, content);
}

async function readerOf({ db }: MailDeps, payment: Payment, refund: Refund) {
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
    return email ? { recipient: { email }, email, language, facts } : null;
  }
  const account = await readAccount(db, payment.account_id);
  if (account.state === 'deleted') return null;
  const { id: accountId, email, language, service_expires_at: end } = account;
  const credits = await readCredits(db, accountId);
  const credit = credits.find(({ payment_id }) => payment_id === payment.id);
  const isWaiting = credit?.is_waiting && credit.days > credit.days_taken_back;
  return {
    recipient: { accountId },
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
