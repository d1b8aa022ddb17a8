import { readAccount } from '#accounts/account.ts';
import { readCredits } from '#accounts/credit-ledger.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { findPayment } from '#payments/payment.ts';
import { findReceipt } from '#payments/receipts/receipt.ts';
import { findRefund } from '#payments/refunds/request-refund.ts';
import { currentAddresses } from './current-addresses.ts';
import { paymentWithdrawn } from './payment-withdrawn.ts';
import { sendOnce, type MailDeps, type MailOutcome } from './send-once.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Confirms a withdrawal by mail, on the durable medium that the law asks for. */
export async function tellWithdrawn(
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
