import type Stripe from 'stripe';
import type { Attention, CancelReason } from '@proveklar/contract/admin-payments.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { DisputeOutcome, PaymentPurpose } from '@proveklar/contract/payment.ts';
import type { Database, Queryable } from '#database/pool.ts';
import type { IdentityProvider } from '#identity/identity-provider.ts';
import type { Limits } from '#limits/limits.ts';

export interface PaymentDeps {
  db: Database;
  stripe: StripeApi;
  identity: IdentityProvider;
  limits: Limits;
  /** Of the hashes by which withdrawals are remembered (`books/withdrawal.ts`). */
  withdrawalKey: string;
}

/** The parts of Stripe that are used. */
export type StripeApi = Pick<
  Stripe,
  'charges' | 'disputes' | 'events' | 'paymentIntents' | 'refunds'
>;

export const CURRENCY = 'nok';

export interface Payment {
  id: string;
  purpose: PaymentPurpose;
  payment_intent_id: string | null;
  account_id: string | null;
  attempt: number;
  email: string | null;
  username: string | null;
  /** What the account of a registration will be written to in. */
  language: AppLanguage;
  /** Øre, including VAT. */
  amount_ore: number;
  currency: string;
  service_days: number;
  state: 'open' | 'settled' | 'cancelled';
  account_existed: boolean | null;
  /**
   * An unverified identity without credit had the address, and was removed. Its owner chooses a
   * password by the mailed link only.
   */
  address_reclaimed: boolean;
  created_at: Date;
  settled_at: Date | null;
  /** Raised by every change of what follows. */
  revision: number;
  /** The PaymentIntent's status when it was last read; null before that. */
  intent_status: Stripe.PaymentIntent.Status | null;
  cancelled_at: Date | null;
  cancel_reason: CancelReason | null;
  /** Øre that were paid back, or are on their way. */
  refunded_ore: number;
  dispute: DisputeOutcome | null;
  attention: Attention | null;
  consent_version: string | null;
  consented_at: Date | null;
}

/**
 * Notes which PaymentIntent Stripe made for a payment, unless one is noted already.
 *
 * @returns the one that is noted, and the payment's state; null when there is no such payment
 */
export async function noteIntent(
  db: Queryable,
  paymentId: string,
  paymentIntentId: string,
): Promise<{ noted: string; state: Payment['state'] } | null> {
  const { rows } = await db.query<{ noted: string; state: Payment['state'] }>(
    `update payment set payment_intent_id = coalesce(payment_intent_id, $2)
     where id = $1 returning payment_intent_id as noted, state`,
    [paymentId, paymentIntentId],
  );
  return rows[0] ?? null;
}

/** A payment by our own id. */
export async function findPayment(db: Queryable, id: string): Promise<Payment | null> {
  const { rows } = await db.query<Payment>('select * from payment where id = $1', [id]);
  return rows[0] ?? null;
}

/** A payment by the id that Stripe gave its PaymentIntent. */
export async function findPaymentByIntent(
  db: Queryable,
  paymentIntentId: string,
): Promise<Payment | null> {
  const { rows } = await db.query<Payment>('select * from payment where payment_intent_id = $1', [
    paymentIntentId,
  ]);
  return rows[0] ?? null;
}
