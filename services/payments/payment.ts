import type Stripe from 'stripe';
import type { Language } from '#accounts/language.ts';
import type { Database, Queryable } from '#database/pool.ts';
import type { IdentityProvider } from '#identity/identity-provider.ts';

export interface PaymentDeps {
  db: Database;
  stripe: Pick<Stripe, 'paymentIntents'>;
  identity: IdentityProvider;
}

export const CURRENCY = 'nok';

export interface Payment {
  id: string;
  purpose: 'registration' | 'extension';
  payment_intent_id: string | null;
  account_id: string | null;
  attempt: number;
  email: string | null;
  username: string | null;
  /** What the account of a registration will be written to in. */
  language: Language;
  /** Øre, including VAT. */
  amount_ore: number;
  currency: string;
  service_days: number;
  state: 'open' | 'settled' | 'cancelled';
  account_existed: boolean | null;
  settled_at: Date | null;
}

/**
 * Notes which PaymentIntent Stripe made for a payment, unless one is noted already.
 *
 * @returns the one that is noted; null when there is no such payment
 */
export async function noteIntent(
  db: Queryable,
  paymentId: string,
  paymentIntentId: string,
): Promise<string | null> {
  const { rows } = await db.query<{ noted: string }>(
    `update payment set payment_intent_id = coalesce(payment_intent_id, $2)
     where id = $1 returning payment_intent_id as noted`,
    [paymentId, paymentIntentId],
  );
  return rows[0]?.noted ?? null;
}

/** Records that a payment will never be made. A settled one stays settled. */
export async function markCancelled(db: Queryable, paymentId: string): Promise<void> {
  await db.query(`update payment set state = 'cancelled' where id = $1 and state = 'open'`, [
    paymentId,
  ]);
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
