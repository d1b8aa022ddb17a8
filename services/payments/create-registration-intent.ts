import { createHash } from 'node:crypto';
import { DEFAULT_LANGUAGE, type Language } from '#accounts/language.ts';
import { refuseWeakPassword } from '#identity/password-rule.ts';
import { readSettings } from '#settings/settings.ts';
import { closePayment } from './close-payment.ts';
import { cancelledError } from './confirm-payment.ts';
import { isUsable } from './create-extension-intent.ts';
import { openPayment, type Begun } from './open-payment.ts';
import type { PaymentDeps } from './payment.ts';
import { intentOf, toIntentAnswer, type IntentAnswer } from './payment-intent.ts';

export interface RegistrationWish extends Begun {
  email: string;
  username: string;
  /** What they want to sign in with. Looked at before they pay, and not kept. */
  password?: string | undefined;
  /** What the learner is to be written to in; Norwegian by default. */
  language?: Language | undefined;
  /** The key of the click. The same click gets the same intent; without one each call is its own. */
  clientKey?: string | undefined;
}

/**
 * Begins a registration: fixes price and days, and opens a PaymentIntent for them. It answers the
 * same for an address that has an account already, because who is registered is nobody's business.
 * While the service is free there is nothing to pay and nothing is stored.
 *
 * @throws AppError `password_refused`, `payment_cancelled` or `payment_expired` (what this click began is over,
 *   or was begun under another price), `rate_limited`, `payment_provider_failed`
 */
export async function createRegistrationIntent(
  deps: PaymentDeps,
  wish: RegistrationWish,
): Promise<IntentAnswer> {
  const { password, ...rest } = wish;
  if (password !== undefined) await refuseWeakPassword(deps.identity, password, wish);
  const settings = await readSettings(deps.db);
  if (settings.price_ore === 0) {
    const { service_days } = settings;
    return { client_secret: null, payment_intent_id: null, amount: 0, service_days };
  }
  const { email, username, language = DEFAULT_LANGUAGE, clientKey, ...begun } = rest;
  const payment = await openPayment(deps, {
    ...begun,
    purpose: 'registration',
    accountId: null,
    email: email.toLowerCase(),
    username: username.trim(),
    language,
    clientKey: clientKey ? keyOf(clientKey, email, username) : null,
    settings,
  });
  // A new click begins a new one.
  if (payment.state === 'cancelled') throw cancelledError(payment);
  const intent = await intentOf(deps, payment);
  const isPaid = payment.state === 'settled' || intent.status === 'succeeded';
  // Nobody is asked to pay what is not the price any more.
  if (!isPaid && !isUsable(payment, intent, settings)) {
    const closed = await closePayment(deps, payment, 'price_changed');
    if (closed.state === 'cancelled') throw cancelledError(closed);
  }
  return toIntentAnswer(payment, intent);
}

// The key is bound to what was filled in: whoever has only the key is not given the intent.
function keyOf(clientKey: string, email: string, username: string): string {
  const content = JSON.stringify([clientKey, email.toLowerCase(), username.trim()]);
  return createHash('sha256').update(content).digest('hex');
}
