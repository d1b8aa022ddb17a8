import { createHash } from 'node:crypto';
import { DEFAULT_LANGUAGE, type Language } from '#accounts/language.ts';
import type { Database } from '#database/pool.ts';
import { readSettings, type Settings } from '#settings/settings.ts';
import { CURRENCY, type Payment, type PaymentDeps } from './payment.ts';
import { intentOf, toIntentAnswer, type IntentAnswer } from './payment-intent.ts';

export interface RegistrationWish {
  email: string;
  username: string;
  /** What the learner is to be written to in; Norwegian by default. */
  language?: Language | undefined;
  /** The key of the click. The same click gets the same intent; without one each call is its own. */
  clientKey?: string | undefined;
}

/**
 * Begins a registration: fixes price and days, and opens a PaymentIntent for them. It answers the
 * same for an address that has an account already, because who is registered is nobody's business.
 * While the service is free there is nothing to pay and nothing is stored.
 */
export async function createRegistrationIntent(
  deps: Pick<PaymentDeps, 'db' | 'stripe'>,
  wish: RegistrationWish,
): Promise<IntentAnswer> {
  const settings = await readSettings(deps.db);
  if (settings.price_ore === 0) {
    const { service_days } = settings;
    return { client_secret: null, payment_intent_id: null, amount: 0, service_days };
  }
  const payment = await openPayment(deps.db, wish, settings);
  return toIntentAnswer(payment, await intentOf(deps, payment));
}

async function openPayment(
  db: Database,
  { email, username, language = DEFAULT_LANGUAGE, clientKey }: RegistrationWish,
  settings: Settings,
): Promise<Payment> {
  const { rows } = await db.query<Payment>(
    `insert into payment
       (purpose, email, username, language, client_key, amount_ore, currency, service_days)
     values ('registration', $1, $2, $3, $4, $5, $6, $7)
     -- Nothing changes; but only an updated row is returned.
     on conflict (client_key) do update set client_key = excluded.client_key
     returning *`,
    [
      email.toLowerCase(),
      username.trim(),
      language,
      clientKey ? keyOf(clientKey, email, username) : null,
      settings.price_ore,
      CURRENCY,
      settings.service_days,
    ],
  );
  return rows[0]!;
}

// The key is bound to what was filled in: whoever has only the key is not given the intent.
function keyOf(clientKey: string, email: string, username: string): string {
  const content = JSON.stringify([clientKey, email.toLowerCase(), username.trim()]);
  return createHash('sha256').update(content).digest('hex');
}
