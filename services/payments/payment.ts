import type Stripe from 'stripe';
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
  email: string | null;
  username: string | null;
  /** Øre, including VAT. */
  amount_ore: number;
  currency: string;
  service_days: number;
  state: 'open' | 'settled' | 'cancelled';
  account_existed: boolean | null;
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
