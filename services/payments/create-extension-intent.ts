import type Stripe from 'stripe';
import type { Account } from '#accounts/account.ts';
import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { readSettings, type Settings } from '#settings/settings.ts';
import { closePayment } from './close-payment.ts';
import { openPayment, type Begun, type PaymentWish } from './open-payment.ts';
import type { Payment, PaymentDeps } from './payment.ts';
import { intentOf, toIntentAnswer, type IntentAnswer } from './payment-intent.ts';

/**
 * Opens a PaymentIntent for more service, or hands out the account's open one again. One that was
 * opened under another price is cancelled first; one that was paid is settled first.
 *
 * Who did not ask for the service to start at once withdraws for the whole amount. An account that has
 * withdrawn once has to ask for it, so that the service is not used for nothing again and again.
 *
 * @throws AppError `service_free`, `consent_required` (details: `field`), `rate_limited`,
 *   `payment_provider_failed`, `account_disabled`, `payment_cancelled` when that happens while Stripe
 *   makes the intent
 */
export async function createExtensionIntent(
  deps: PaymentDeps,
  account: Pick<Account, 'id' | 'email' | 'language'>,
  begun: Begun = {},
): Promise<IntentAnswer> {
  const settings = await readSettings(deps.db);
  if (settings.price_ore === 0) throw new AppError('service_free');
  if (!begun.consentVersion && (await hasWithdrawn(deps.db, account.id))) {
    throw new AppError('consent_required', { details: { field: 'consent_version' } });
  }
  const wish: PaymentWish = {
    ...begun,
    purpose: 'extension',
    accountId: account.id,
    email: account.email,
    username: null,
    language: account.language,
    clientKey: null,
    settings,
  };
  const payment = await openPayment(deps, wish);
  const intent = await intentOf(deps, payment).catch(nullWhenGone);
  if (intent && isUsable(payment, intent, settings)) return toIntentAnswer(payment, intent);
  await closePayment(deps, payment, 'price_changed');
  const fresh = await openPayment(deps, wish);
  return toIntentAnswer(fresh, await intentOf(deps, fresh));
}

async function hasWithdrawn(db: Queryable, accountId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from refund join payment on payment.id = refund.payment_id
     where payment.account_id = $1 and refund.reason = 'withdrawal' limit 1`,
    [accountId],
  );
  return rowCount === 1;
}

/**
 * Stripe does not know the intent, because the key belongs to another account now; or the payment was
 * cancelled while Stripe made it.
 */
function nullWhenGone(error: unknown): null {
  const code = error instanceof AppError ? error.code : undefined;
  if (code === 'payment_not_found' || code === 'payment_cancelled') return null;
  throw error;
}

/** Whether an open payment can be gone on with: what is paid under an old price is not asked for anew. */
export function isUsable(
  payment: Payment,
  intent: Stripe.PaymentIntent,
  settings: Settings,
): boolean {
  const finished = intent.status === 'succeeded' || intent.status === 'canceled';
  const samePrice =
    payment.amount_ore === settings.price_ore && payment.service_days === settings.service_days;
  // While the bank is asking its customer, the intent is in use whatever the price is now.
  const inUse = intent.status === 'processing' || intent.status === 'requires_action';
  return !finished && (samePrice || inUse);
}
