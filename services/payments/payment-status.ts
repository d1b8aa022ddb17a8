import type { PaymentStatusResponse } from '@proveklar/contract/payment.ts';
import { syncPayment } from './books/sync-payment.ts';
import { packetKeyOf } from './codes/code.ts';
import type { Payment, PaymentDeps } from './payment.ts';
import { findOwnedPayment } from './provider/stripe.ts';

/** Where a payment stands, for the person who made it. */
export interface PaymentStatus {
  purpose: Payment['purpose'];
  status: PaymentStatusResponse['status'];
  /** Øre, including VAT. */
  amount: number;
  service_days: number;
  /** Null for a payment that is not of a packet. */
  packetKey: string | null;
  /** Null for an extension, and after a day. */
  registration: { email: string; username: string; needsPassword: boolean } | null;
}

/**
 * How long the client secret also tells whose registration it is. It is in the address to which a bank or wallet returns its
 * customer, and so in the history of a browser that others may use later.
 */
const OWNER_SHOWN_MS = 24 * 60 * 60 * 1000;

/**
 * Where a payment stands at Stripe now, for a person who returns from the page of a bank or wallet: in another tab,
 * on another device, or an hour later. An extension that was paid is settled. A registration is left to its confirm call,
 * which brings the password; if none comes, the webhook settles it.
 *
 * @throws AppError `payment_not_found`, also for a wrong secret; `payment_provider_failed`,
 *   `identity_provider_failed`
 */
export async function readPaymentStatus(
  deps: PaymentDeps,
  paymentIntentId: string,
  clientSecret: string,
): Promise<PaymentStatus> {
  await findOwnedPayment(deps, paymentIntentId, clientSecret);
  const payment = await syncPayment(deps, paymentIntentId, { leaveRegistration: true });
  const { purpose, amount_ore: amount, service_days, email, username } = payment;
  const status = statusOf(payment);
  const isRecent = Date.now() - payment.created_at.getTime() < OWNER_SHOWN_MS;
  const isShown = purpose === 'registration' && email !== null && isRecent;
  return {
    purpose,
    status,
    amount,
    service_days,
    packetKey: purpose === 'packet' ? packetKeyOf(deps.withdrawalKey, payment.id) : null,
    registration: isShown
      ? {
          email,
          username: username ?? email,
          needsPassword:
            status === 'paid' || (status === 'settled' && (await lacksPassword(deps, payment))),
        }
      : null,
  };
}

function statusOf({
  state,
  intent_status,
  cancel_reason,
  attention,
}: Payment): PaymentStatus['status'] {
  if (state === 'settled') return 'settled';
  if (attention === 'mismatch' || attention === 'email_refused') return 'needs_help';
  if (state === 'cancelled') return cancel_reason === 'abandoned' ? 'expired' : 'cancelled';
  if (intent_status === 'succeeded') return 'paid';
  if (intent_status === 'processing') return 'processing';
  if (intent_status === 'requires_action') return 'requires_action';
  return 'unpaid';
}

/** Whether the webhook created the account, and its owner has not chosen a password yet. */
async function lacksPassword({ identity }: PaymentDeps, payment: Payment): Promise<boolean> {
  if (payment.address_reclaimed || payment.account_existed) return false;
  const user = await identity.findByUid(payment.id);
  return user !== null && !user.hasPassword && !user.hasSignedIn;
}
