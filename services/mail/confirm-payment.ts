import { readAccount } from '#accounts/account.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { findPayment } from '#payments/payment.ts';
import { paymentConfirmation } from './payment-confirmation.ts';
import { currentAddresses } from './current-addresses.ts';
import { sendOnce, type MailDeps, type MailOutcome } from './send-once.ts';

/**
 * Mails the confirmation of a payment to the account that it extended.
 *
 * @returns `no_recipient` when the account was deleted meanwhile
 */
export async function confirmPayment(
  deps: MailDeps,
  { id: eventId, payload }: DeliveredEvent<'payment.succeeded'>,
): Promise<MailOutcome | 'no_recipient'> {
  const account = await readAccount(deps.db, payload.account_id);
  const payment = await findPayment(deps.db, payload.payment_id);
  if (account.state === 'deleted') return 'no_recipient';
  if (!payment?.settled_at || !account.service_expires_at) {
    throw new Error(`Payment ${payload.payment_id} is not settled`);
  }
  const content = paymentConfirmation(
    account.language,
    {
      name: account.display_name,
      amountOre: payment.amount_ore,
      paidAt: payment.settled_at,
      serviceDays: payment.service_days,
      // As it is now: a payment made since has moved it further.
      expiresAt: account.service_expires_at,
    },
    await currentAddresses(deps.db, deps.addresses),
  );
  const { language } = account;
  const recipient = { accountId: account.id };
  const key = { eventId, kind: 'payment_confirmation', recipient, language };
  return sendOnce(deps, key, account.email, content);
}
