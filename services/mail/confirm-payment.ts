import { readAccount, type Account } from '#accounts/account.ts';
import { readCredits } from '#accounts/credit-ledger.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import type { IdentityProvider } from '#identity/identity-provider.ts';
import { findPayment, type Payment } from '#payments/payment.ts';
import { findReceipt } from '#payments/receipts/receipt.ts';
import { withdrawalDeadline } from '#payments/refunds/withdrawal-deadline.ts';
import { paymentConfirmation } from './payment-confirmation.ts';
import { currentAddresses } from './current-addresses.ts';
import { sendOnce, type MailDeps, type MailOutcome } from './send-once.ts';

/** Mails that ask whether their reader can sign in. */
export interface SignInMailDeps extends MailDeps {
  identity: Pick<IdentityProvider, 'findByUid' | 'findByEmail'>;
}

/**
 * Mails the confirmation of a payment to the account that it extended.
 *
 * @returns `no_recipient` when the account was deleted meanwhile
 * @throws AppError `identity_provider_failed`
 */
export async function confirmPayment(
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
      // As it is now: a payment made since has moved it further.
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

/** Whether the account was made by a payment whose learner was not there to choose a password. */
async function needsPassword(
  { identity }: SignInMailDeps,
  { uid }: Account,
  { id, purpose }: Payment,
): Promise<boolean> {
  if (purpose !== 'registration' || uid !== id) return false;
  const user = await identity.findByUid(uid);
  return user !== null && !user.hasPassword && !user.hasSignedIn;
}
