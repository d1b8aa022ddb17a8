import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { type AppLanguage, DEFAULT_LANGUAGE } from '@proveklar/contract/language.ts';
import { requireActiveAccount } from '#accounts/access.ts';
import type { Account } from '#accounts/account.ts';
import { type Queryable, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { throwIfWeakPassword } from '#identity/password-rule.ts';
import { rateLimitAddress } from '#limits/client-address.ts';
import {
  ALL_NETWORKS_FACTOR,
  type LimitedCaller,
  type Limits,
  throwIfLimited,
  secondsUntilAllowed,
  acquireCallerLocks,
} from '#limits/limits.ts';
import { readSettings, type Settings } from '#settings/settings.ts';
import { closePayment } from './close-payment.ts';
import { cancelledError } from './confirm-payment.ts';
import { CURRENCY, type Payment, type PaymentDeps } from './payment.ts';
import { type IntentAnswer, intentOf, toIntentAnswer } from './provider/stripe.ts';

interface RegistrationWish extends Begun {
  email: string;
  username: string;
  /** What they want to sign in with. Looked at before they pay, and not kept. */
  password?: string | undefined;
  /** What the learner is to be written to in; Norwegian by default. */
  language?: AppLanguage | undefined;
  /** The key of the click. The same click gets the same intent; without one each call is its own. */
  clientKey?: string | undefined;
}

/**
 * Begins a registration: fixes price and days, and opens a PaymentIntent for them. It answers the
 * same for an address that has an account already, because who is registered is private.
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
  if (password !== undefined) await throwIfWeakPassword(deps.identity, password, wish);
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
  // No learner is asked to pay a price that is over.
  if (!isPaid && !isUsable(payment, intent, settings)) {
    const closed = await closePayment(deps, payment, 'price_changed');
    if (closed.state === 'cancelled') throw cancelledError(closed);
  }
  return toIntentAnswer(payment, intent);
}

// The key is bound to what was filled in: the key alone does not give the intent.
function keyOf(clientKey: string, email: string, username: string): string {
  const content = JSON.stringify([clientKey, email.toLowerCase(), username.trim()]);
  return createHash('sha256').update(content).digest('hex');
}

/** How a payment was begun. */
interface Begun {
  /** The version of the text by which the learner asked for the service to start at once. */
  consentVersion?: string | undefined;
  /** The IP address where the call came from; without one, none is counted. */
  clientAddress?: string | undefined;
}

interface PaymentWish extends Begun {
  purpose: Payment['purpose'];
  accountId: string | null;
  email: string;
  username: string | null;
  language: AppLanguage;
  clientKey: string | null;
  /** Price and days are fixed with the payment. */
  settings: Settings;
}

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
 * Our row of a payment: a new one, or the one that the same account or the same click has open.
 *
 * @throws AppError `rate_limited`, for a new one only; `account_disabled`
 */
async function openPayment(
  { db, limits }: Pick<PaymentDeps, 'db' | 'limits'>,
  wish: PaymentWish,
): Promise<Payment> {
  const { clientAddress: ip, email, accountId } = wish;
  const clientAddress = ip === undefined ? null : rateLimitAddress(ip);
  const beginner: LimitedCaller = { clientAddress, email, accountId };
  return withTransaction(db, async (tx) => {
    if (accountId) await requireActiveAccount(tx, accountId);
    // Refused before standing in line: a flood is to hold neither locks nor connections. Counted
    // before looking: a click that was sent twice is not refused for what it has opened itself.
    const seconds = await secondsToWait(tx, limits, beginner);
    const open = await reopen(tx, wish);
    if (open) return open;
    throwIfLimited(seconds);
    await acquireCallerLocks(tx, beginner);
    const opened = await reopen(tx, wish);
    if (opened) return opened;
    throwIfLimited(await secondsToWait(tx, limits, beginner));
    const payment = await insert(tx, wish, clientAddress);
    await emit(tx, 'payment.changed', { payment_id: payment.id, account_id: null });
    return payment;
  });
}

const DECLINES = 'card_decline join payment on payment.id = card_decline.payment_id';

/**
 * How long it is until one more payment may be begun; 0 when it may.
 *
 * A registration is counted with those under its e-mail address from the same network, a payment for more
 * service with those of its account. Counted together, a registration under an address that has an
 * account would be refused earlier, which tells that it has one; and a stranger could keep a learner
 * from paying. Counted from everywhere, five calls of a stranger would keep the owner of an address from
 * registering. So from everywhere only refused cards count, and four times as many are allowed: a
 * network gets no further than its own limits.
 */
async function secondsToWait(
  tx: Transaction,
  { perAddress, perEmail, perAddressAfterDeclines, declines }: Limits,
  { clientAddress, email, accountId }: LimitedCaller,
): Promise<number> {
  const own = accountId
    ? `purpose = 'extension' and account_id = $2`
    : `purpose = 'registration' and email = $2 and client_address is not distinct from $1`;
  const anywhere = accountId ? own : `purpose = 'registration' and email = $2`;
  const { rows } = await tx.query<
    Record<'address' | 'strict' | 'own' | 'declined' | 'declined_anywhere', number>
  >(
    `select ${secondsUntilAllowed('payment', 'created_at', 'client_address = $1', 3)} as address,
       -- Over as soon as either is below its number.
       least(${secondsUntilAllowed('payment', 'created_at', 'client_address = $1', 4)},
         ${secondsUntilAllowed(DECLINES, 'declined_at', 'client_address = $1', 6)}) as strict,
       ${secondsUntilAllowed('payment', 'created_at', own, 5)} as own,
       ${secondsUntilAllowed(DECLINES, 'declined_at', own, 6)} as declined,
       ${secondsUntilAllowed(DECLINES, 'declined_at', anywhere, 7)} as declined_anywhere`,
    [
      clientAddress,
      accountId ?? email,
      perAddress,
      perAddressAfterDeclines,
      perEmail,
      declines,
      declines * ALL_NETWORKS_FACTOR,
    ],
  );
  return Math.max(...Object.values(rows[0]!));
}

const IS_UNPAID = `state = 'open' and intent_status is distinct from 'succeeded'`;

/**
 * What was agreed to last before paying counts: the text may have changed, or the box been left
 * empty before.
 */
async function reopen(tx: Transaction, wish: PaymentWish): Promise<Payment | null> {
  const { rows } = await tx.query<Payment>(
    `update payment set
       consent_version = case when ${IS_UNPAID} then coalesce($3, consent_version)
         else consent_version end,
       consented_at = case when ${IS_UNPAID} and $3::text is not null then clock_timestamp()
         else consented_at end
     where (purpose = 'extension' and state = 'open' and account_id = $1)
        or (purpose = 'registration' and client_key = $2)
     returning *`,
    [wish.accountId, wish.clientKey, wish.consentVersion ?? null],
  );
  return rows[0] ?? null;
}

async function insert(
  tx: Transaction,
  wish: PaymentWish,
  clientAddress: string | null,
): Promise<Payment> {
  // Two at once: the second gets the row of the first. Nothing changes in it; but only an updated
  // row is returned.
  const conflict =
    wish.purpose === 'extension'
      ? `(account_id) where state = 'open' and purpose = 'extension'
           do update set account_id = excluded.account_id`
      : '(client_key) do update set client_key = excluded.client_key';
  const { rows } = await tx.query<Payment>(
    `insert into payment
       (purpose, account_id, email, username, language, client_key, amount_ore, currency,
        service_days, client_address, consent_version, consented_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
       case when $11::text is not null then clock_timestamp() end)
     on conflict ${conflict}
     returning *`,
    [
      wish.purpose,
      wish.accountId,
      wish.email,
      wish.username,
      wish.language,
      wish.clientKey,
      wish.settings.price_ore,
      CURRENCY,
      wish.settings.service_days,
      clientAddress,
      wish.consentVersion ?? null,
    ],
  );
  return rows[0]!;
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
function isUsable(payment: Payment, intent: Stripe.PaymentIntent, settings: Settings): boolean {
  const finished = intent.status === 'succeeded' || intent.status === 'canceled';
  const samePrice =
    payment.amount_ore === settings.price_ore && payment.service_days === settings.service_days;
  // While the bank is asking its customer, the intent is in use whatever the price is now.
  const inUse = intent.status === 'processing' || intent.status === 'requires_action';
  return !finished && (samePrice || inUse);
}
