import type Stripe from 'stripe';
import type { Account } from '#accounts/account.ts';
import type { Database } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { readSettings, type Settings } from '#settings/settings.ts';
import { CURRENCY, markCancelled, type Payment, type PaymentDeps } from './payment.ts';
import { intentOf, retrieveIntent, toIntentAnswer, type IntentAnswer } from './payment-intent.ts';
import { settlePayment } from './settle-payment.ts';
import { isUnexpectedState, stripeError } from './stripe-client.ts';

/**
 * Opens a PaymentIntent for more service, or hands out the account's open one again. One that was
 * opened under another price is cancelled first; one that was paid is settled first.
 *
 * @throws AppError `service_free`, `payment_provider_failed`
 */
export async function createExtensionIntent(
  deps: PaymentDeps,
  account: Pick<Account, 'id' | 'email'>,
): Promise<IntentAnswer> {
  const settings = await readSettings(deps.db);
  if (settings.price_ore === 0) throw new AppError('service_free');
  const payment = await openPayment(deps.db, account, settings);
  const intent = await intentOf(deps, payment).catch(nullWhenGone);
  if (intent && isUsable(payment, intent, settings)) return toIntentAnswer(payment, intent);
  if (intent) await closePayment(deps, payment, intent);
  else await markCancelled(deps.db, payment.id);
  const fresh = await openPayment(deps.db, account, settings);
  return toIntentAnswer(fresh, await intentOf(deps, fresh));
}

async function openPayment(
  db: Database,
  account: Pick<Account, 'id' | 'email'>,
  settings: Settings,
): Promise<Payment> {
  const { rows } = await db.query<Payment>(
    `insert into payment (purpose, account_id, email, amount_ore, currency, service_days)
     values ('extension', $1, $2, $3, $4, $5)
     -- Nothing changes; but only an updated row is returned.
     on conflict (account_id) where state = 'open' and purpose = 'extension'
       do update set account_id = excluded.account_id
     returning *`,
    [account.id, account.email, settings.price_ore, CURRENCY, settings.service_days],
  );
  return rows[0]!;
}

/** Stripe does not know the intent: the key belongs to another account now. */
function nullWhenGone(error: unknown): null {
  if (error instanceof AppError && error.code === 'payment_not_found') return null;
  throw error;
}

function isUsable(payment: Payment, intent: Stripe.PaymentIntent, settings: Settings): boolean {
  const finished = intent.status === 'succeeded' || intent.status === 'canceled';
  const samePrice =
    payment.amount_ore === settings.price_ore && payment.service_days === settings.service_days;
  // While the bank is asking its customer, the intent is in use whatever the price is now.
  const inUse = intent.status === 'processing' || intent.status === 'requires_action';
  return !finished && (samePrice || inUse);
}

/** Makes sure that an open payment is never made: one that was made meanwhile is settled. */
export async function closePayment(
  deps: PaymentDeps,
  payment: Payment,
  intent: Stripe.PaymentIntent,
): Promise<void> {
  if (intent.status === 'succeeded') {
    await settlePayment(deps, intent.id);
  } else if (intent.status === 'canceled') {
    await markCancelled(deps.db, payment.id);
  } else {
    await closePayment(deps, payment, await cancel(deps, intent.id));
  }
}

/** Cancels an intent, or finds that it was paid or cancelled meanwhile. */
async function cancel(deps: PaymentDeps, intentId: string): Promise<Stripe.PaymentIntent> {
  return deps.stripe.paymentIntents.cancel(intentId).catch((error: unknown) => {
    if (isUnexpectedState(error)) return retrieveIntent(deps, intentId);
    throw stripeError(error);
  });
}
