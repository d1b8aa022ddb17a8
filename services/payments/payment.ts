import type Stripe from 'stripe';
import type { Attention, CancelReason } from '@proveklar/contract/admin-payments.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { DisputeOutcome, PaymentPurpose } from '@proveklar/contract/payment.ts';
import { splitList } from '#config/config.ts';
import { countToday } from '#database/daily-count.ts';
import type { Database, Queryable, Transaction } from '#database/pool.ts';
import type { IdentityProvider } from '#identity/identity-provider.ts';
import type { Limits } from '#limits/limits.ts';

export interface PaymentDeps {
  db: Database;
  stripe: StripeApi;
  identity: IdentityProvider;
  limits: Limits;
  /**
   * The HMAC key of the hashes that remember withdrawals (`books/withdrawal.ts`). The keys that encrypt codes and that lead to
   * a packet are derived from it (`codes/code.ts`).
   */
  withdrawalKey: string;
}

/** The ways to pay, in the order in which they are shown. A card includes the wallets with one. */
export const PAYMENT_METHODS = ['card', 'vipps'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** The methods of the variable `PAYMENT_METHODS`, in the order in which they are shown. */
export function paymentMethodsOf({
  PAYMENT_METHODS: text,
}: {
  PAYMENT_METHODS: string;
}): PaymentMethod[] {
  const allowed = splitList(text);
  return PAYMENT_METHODS.filter((method) => allowed.includes(method));
}

/** What starting a payment needs. */
export interface PayingDeps extends PaymentDeps {
  paymentMethods: readonly PaymentMethod[];
  /** The key charges real cards. */
  isLive: boolean;
}

/** The parts of Stripe's API that payments use. */
export type StripeApi = Pick<
  Stripe,
  'balanceTransactions' | 'charges' | 'disputes' | 'events' | 'paymentIntents' | 'refunds'
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
  /** The language of the mails to a registration's account. */
  language: AppLanguage;
  /** Øre, including VAT. */
  amount_ore: number;
  currency: string;
  service_days: number;
  state: 'open' | 'settled' | 'cancelled';
  account_existed: boolean | null;
  /**
   * An unverified identity without credit had the address and was removed. The owner can only choose a
   * password by the mailed link.
   */
  address_reclaimed: boolean;
  created_at: Date;
  settled_at: Date | null;
  /** Incremented by every change of the fields below. */
  revision: number;
  /** The PaymentIntent's status at the last read; null before the first. */
  intent_status: Stripe.PaymentIntent.Status | null;
  cancelled_at: Date | null;
  cancel_reason: CancelReason | null;
  /** Øre that were refunded, pending refunds included. */
  refunded_ore: number;
  dispute: DisputeOutcome | null;
  attention: Attention | null;
  /** Stripe's name of the method, or of the wallet that the card is in; null until it is paid. */
  method: string | null;
  consent_version: string | null;
  consented_at: Date | null;
}

/**
 * Stores the id of the PaymentIntent of a payment, unless it already has one.
 *
 * @returns the stored id and the payment's state; null when there is no such payment
 */
export async function storeIntentId(
  db: Queryable,
  paymentId: string,
  paymentIntentId: string,
): Promise<{ intentId: string; state: Payment['state'] } | null> {
  const { rows } = await db.query<{ intentId: string; state: Payment['state'] }>(
    `update payment set payment_intent_id = coalesce(payment_intent_id, $2)
     where id = $1 returning payment_intent_id as "intentId", state`,
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

/**
 * Counts a registration that begins, once for an address: not when it has begun before, as far as that is still known.
 * The caller holds the lock of the address, and records the registration afterwards.
 */
export async function countBegunRegistration(tx: Transaction, email: string): Promise<void> {
  const { rowCount } = await tx.query(
    `select where exists (select from payment where email = $1 and purpose = 'registration')
       or exists (select from free_registration where email = $1)
       or exists (select from account where email = $1)`,
    [email],
  );
  if (rowCount === 0) await countToday(tx, 'registration_begun');
}
