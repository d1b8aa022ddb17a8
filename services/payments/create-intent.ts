// Over 400 lines: each way to start a payment, with the limits and checks that all of them share.

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
import { isOrganisationNumber } from '#settings/change-settings.ts';
import { missingSellerDetails, readSettings, type Settings } from '#settings/settings.ts';
import { closePayment } from './close-payment.ts';
import { packetKeyOf } from './codes/code.ts';
import { cancelledError } from './confirm-payment.ts';
import {
  countBegunRegistration,
  CURRENCY,
  type PayingDeps,
  type Payment,
  type PaymentDeps,
} from './payment.ts';
import { type IntentAnswer, ensureIntent, toIntentAnswer } from './provider/stripe.ts';

interface RegistrationRequest extends PaymentContext {
  email: string;
  username: string;
  /** Checked before the payment, and not stored. */
  password?: string | undefined;
  /** The language of the learner's mails; Norwegian by default. */
  language?: AppLanguage | undefined;
  /** The idempotency key of the click: the same key gets the same intent. */
  clientKey?: string | undefined;
}

/**
 * Starts a registration: fixes price and days, and creates a PaymentIntent for them. The answer is the
 * same for an address that already has an account, because who is registered is private.
 * While the service is free there is nothing to pay, and nothing is stored.
 *
 * @throws AppError `password_refused`, `payment_cancelled` or `payment_expired` (the payment of this click is
 *   over, or had another price), `rate_limited`, `payment_provider_failed`, `payments_closed` (the seller is not named)
 */
export async function createRegistrationIntent(
  deps: PayingDeps,
  request: RegistrationRequest,
): Promise<IntentAnswer> {
  const { password, ...rest } = request;
  if (password !== undefined) await throwIfWeakPassword(deps.identity, password, request);
  const settings = await readSettings(deps.db);
  if (settings.price_ore === 0) {
    const { service_days } = settings;
    return { client_secret: null, payment_intent_id: null, amount: 0, service_days };
  }
  throwIfClosed(deps, settings);
  const { email, username, language = DEFAULT_LANGUAGE, clientKey, ...context } = rest;
  const payment = await openPayment(deps, {
    ...context,
    amountOre: settings.price_ore,
    purpose: 'registration',
    accountId: null,
    email: email.toLowerCase(),
    username: username.trim(),
    language,
    clientKey: clientKey ? keyOf(clientKey, email.toLowerCase(), username.trim()) : null,
    serviceDays: settings.service_days,
  });
  return intentOfClick(deps, payment, { ...settings, amount_ore: settings.price_ore });
}

/**
 * The intent of a click, unless its payment is over or has another price by now.
 *
 * @throws AppError `payment_cancelled`, `payment_expired`, `payment_provider_failed`
 */
async function intentOfClick(
  deps: PayingDeps,
  payment: Payment,
  offer: Pick<Payment, 'amount_ore' | 'service_days'>,
): Promise<IntentAnswer> {
  // A new click starts a new payment.
  if (payment.state === 'cancelled') throw cancelledError(payment);
  const intent = await ensureIntent(deps, payment);
  const isPaid = payment.state === 'settled' || intent.status === 'succeeded';
  // No buyer pays an outdated price.
  if (!isPaid && !isUsable(payment, intent, offer)) {
    const closed = await closePayment(deps, payment, 'price_changed');
    if (closed.state === 'cancelled') throw cancelledError(closed);
  }
  return toIntentAnswer(payment, intent);
}

/** Stripe's largest amount has eight digits: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const MAX_AMOUNT_ORE = 99_999_999;

interface PacketRequest extends Omit<PaymentContext, 'consentVersion'> {
  /** The buyer's address, to which the codes are mailed. */
  email: string;
  organisation: string;
  organisationNumber: string | null;
  /** The number of codes. */
  codes: number;
  language?: AppLanguage | undefined;
  /** The idempotency key of the click: the same key gets the same intent. */
  clientKey?: string | undefined;
}

/** What a buyer's browser needs to pay, and the key to the page of the packet. */
interface PacketIntent extends IntentAnswer {
  packetKey: string;
}

/**
 * Starts the payment of a packet of codes: fixes the price, the days of each code and their number. The buyer needs
 * no account.
 *
 * @throws AppError `validation_failed` (details: `field`) for a wrong organisation number or too large an amount,
 *   `service_free`, and those of `createRegistrationIntent`
 */
export async function createPacketIntent(
  deps: PayingDeps,
  request: PacketRequest,
): Promise<PacketIntent> {
  const { email, codes, organisationNumber, language = DEFAULT_LANGUAGE, clientKey } = request;
  if (organisationNumber !== null && !isOrganisationNumber(organisationNumber)) {
    throw new AppError('validation_failed', {
      message: 'organisation_number is not a valid organisation number: check its digits',
      details: { field: 'organisation_number', part: 'body' },
    });
  }
  const settings = await readSettings(deps.db);
  if (settings.price_ore === 0) throw new AppError('service_free');
  throwIfClosed(deps, settings);
  const organisation = request.organisation.trim();
  const amountOre = settings.price_ore * codes;
  if (amountOre > MAX_AMOUNT_ORE) {
    throw new AppError('validation_failed', {
      message: 'Fewer codes, please: a card payment cannot be that large',
      details: { field: 'codes', part: 'body' },
    });
  }
  const content = [email.toLowerCase(), organisation, organisationNumber ?? '', String(codes)];
  const payment = await openPayment(deps, {
    clientAddress: request.clientAddress,
    purpose: 'packet',
    accountId: null,
    email: email.toLowerCase(),
    username: organisation,
    language,
    clientKey: clientKey ? keyOf(clientKey, 'packet', ...content) : null,
    amountOre,
    serviceDays: settings.service_days,
    packet: { codes, organisation, organisationNumber },
  });
  const offer = { amount_ore: amountOre, service_days: settings.service_days };
  // By card only: a receipt to an organisation is not paid from a person's phone.
  const answer = await intentOfClick({ ...deps, paymentMethods: ['card'] }, payment, offer);
  return { ...answer, packetKey: packetKeyOf(deps.withdrawalKey, payment.id) };
}

/** No learner pays before the seller is named, as the law requires. Test mode is free to try. */
function throwIfClosed({ isLive }: PayingDeps, settings: Settings): void {
  if (isLive && missingSellerDetails(settings).length > 0) throw new AppError('payments_closed');
}

// Binds the key to the form's contents: the key alone does not return the intent.
function keyOf(clientKey: string, ...content: string[]): string {
  const text = JSON.stringify([clientKey, ...content]);
  return createHash('sha256').update(text).digest('hex');
}

interface PaymentContext {
  /** The version of the text by which the learner consented to an immediate start of the service. */
  consentVersion?: string | undefined;
  /** The caller's IP address; without it there is no limit by address. */
  clientAddress?: string | undefined;
}

interface PaymentRequest extends PaymentContext {
  purpose: Payment['purpose'];
  accountId: string | null;
  email: string;
  username: string | null;
  language: AppLanguage;
  clientKey: string | null;
  /** Fixed by the payment. */
  amountOre: number;
  serviceDays: number;
  /** Only for the purpose `packet`. */
  packet?: { codes: number; organisation: string; organisationNumber: string | null };
}

/**
 * Creates a PaymentIntent for more service, or returns the account's open one. One with another price is
 * cancelled first; one that was paid is settled first.
 *
 * A withdrawal without consent to an immediate start refunds the whole amount. After one withdrawal an
 * account must consent, to prevent repeated free use.
 *
 * @throws AppError `service_free`, `payments_closed` (the seller is not named), `consent_required` (details:
 *   `field`), `rate_limited`, `payment_provider_failed`, `account_disabled`, `payment_cancelled` when that happens
 *   while Stripe creates the intent
 */
export async function createExtensionIntent(
  deps: PayingDeps,
  account: Pick<Account, 'id' | 'email' | 'language'>,
  context: PaymentContext = {},
): Promise<IntentAnswer> {
  const settings = await readSettings(deps.db);
  if (settings.price_ore === 0) throw new AppError('service_free');
  throwIfClosed(deps, settings);
  if (!context.consentVersion && (await hasWithdrawn(deps.db, account.id))) {
    throw new AppError('consent_required', { details: { field: 'consent_version' } });
  }
  const request: PaymentRequest = {
    ...context,
    purpose: 'extension',
    accountId: account.id,
    email: account.email,
    username: null,
    language: account.language,
    clientKey: null,
    amountOre: settings.price_ore,
    serviceDays: settings.service_days,
  };
  const offer = { ...settings, amount_ore: settings.price_ore };
  const payment = await openPayment(deps, request);
  const intent = await ensureIntent(deps, payment).catch(nullWhenGone);
  if (intent && isUsable(payment, intent, offer)) return toIntentAnswer(payment, intent);
  await closePayment(deps, payment, 'price_changed');
  const fresh = await openPayment(deps, request);
  return toIntentAnswer(fresh, await ensureIntent(deps, fresh));
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
 * Inserts a payment, or returns the open one of the same account or click.
 *
 * @throws AppError `rate_limited`, for a new payment only; `account_disabled`
 */
async function openPayment(
  { db, limits }: Pick<PaymentDeps, 'db' | 'limits'>,
  request: PaymentRequest,
): Promise<Payment> {
  const { clientAddress: ip, email, accountId, purpose } = request;
  const clientAddress = ip === undefined ? null : rateLimitAddress(ip);
  const caller: LimitedCaller = { clientAddress, email, accountId };
  return withTransaction(db, async (tx) => {
    if (accountId) await requireActiveAccount(tx, accountId);
    // Limited before taking locks, so that a flood holds neither locks nor connections. Counted before
    // looking for an open payment, so that a repeated click is not limited by its own first payment.
    const seconds = await secondsUntilNextPayment(tx, limits, { ...caller, purpose });
    const open = await reuseOpenPayment(tx, request);
    if (open) return open;
    throwIfLimited(seconds);
    await acquireCallerLocks(tx, caller);
    const opened = await reuseOpenPayment(tx, request);
    if (opened) return opened;
    throwIfLimited(await secondsUntilNextPayment(tx, limits, { ...caller, purpose }));
    if (purpose === 'registration') await countBegunRegistration(tx, email);
    const payment = await insert(tx, request, clientAddress);
    if (request.packet) await insertPacket(tx, payment.id, request.packet);
    await emit(tx, 'payment.changed', { payment_id: payment.id, account_id: null });
    return payment;
  });
}

const DECLINES = 'card_decline join payment on payment.id = card_decline.payment_id';

/**
 * The seconds until one more payment may be started; 0 when it may now.
 *
 * Registrations and packets are each counted by e-mail address and network, payments for more service by account. One
 * count for both would limit a registration earlier when its address has an account, and so reveal the
 * account; and a stranger could keep a learner from paying. A count over all networks would let five
 * calls of a stranger keep the owner of an address from registering. So over all networks only declined
 * cards count, with a limit four times as high: one network cannot exceed its own limits.
 */
async function secondsUntilNextPayment(
  tx: Transaction,
  { perAddress, perEmail, perAddressAfterDeclines, declines }: Limits,
  { clientAddress, email, accountId, purpose }: LimitedCaller & Pick<Payment, 'purpose'>,
): Promise<number> {
  const anywhere = accountId
    ? `purpose = 'extension' and account_id = $2`
    : `purpose = '${purpose}' and email = $2`;
  const own = accountId ? anywhere : `${anywhere} and client_address is not distinct from $1`;
  const { rows } = await tx.query<
    Record<'address' | 'strict' | 'own' | 'declined' | 'declined_anywhere', number>
  >(
    `select ${secondsUntilAllowed('payment', 'created_at', 'client_address = $1', 3)} as address,
       -- Ends as soon as one of the two is below its limit.
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
 * Returns the open payment of the account or click, with the latest consent before it is paid: the text
 * may have changed, or the box was empty before.
 */
async function reuseOpenPayment(tx: Transaction, request: PaymentRequest): Promise<Payment | null> {
  const { rows } = await tx.query<Payment>(
    `update payment set
       consent_version = case when ${IS_UNPAID} then coalesce($3, consent_version)
         else consent_version end,
       consented_at = case when ${IS_UNPAID} and $3::text is not null then clock_timestamp()
         else consented_at end
     where (purpose = 'extension' and state = 'open' and account_id = $1)
        or (purpose <> 'extension' and client_key = $2)
     returning *`,
    [request.accountId, request.clientKey, request.consentVersion ?? null],
  );
  return rows[0] ?? null;
}

async function insert(
  tx: Transaction,
  request: PaymentRequest,
  clientAddress: string | null,
): Promise<Payment> {
  // Of two concurrent calls the second gets the row of the first. The update changes nothing, but
  // without an update no row is returned.
  const conflict =
    request.purpose === 'extension'
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
      request.purpose,
      request.accountId,
      request.email,
      request.username,
      request.language,
      request.clientKey,
      request.amountOre,
      CURRENCY,
      request.serviceDays,
      clientAddress,
      request.consentVersion ?? null,
    ],
  );
  return rows[0]!;
}

async function insertPacket(
  tx: Transaction,
  paymentId: string,
  { codes, organisation, organisationNumber }: NonNullable<PaymentRequest['packet']>,
): Promise<void> {
  // Of two concurrent clicks with one key, the second gets the payment of the first, which has its packet.
  await tx.query(
    `insert into code_packet (payment_id, codes, organisation, organisation_number)
     values ($1, $2, $3, $4) on conflict (payment_id) do nothing`,
    [paymentId, codes, organisation, organisationNumber],
  );
}

/**
 * Stripe does not know the intent, because our key now belongs to another Stripe account; or the payment
 * was cancelled while Stripe created it.
 */
function nullWhenGone(error: unknown): null {
  const code = error instanceof AppError ? error.code : undefined;
  if (code === 'payment_not_found' || code === 'payment_cancelled') return null;
  throw error;
}

/** Whether an open payment can be continued. */
function isUsable(
  payment: Payment,
  intent: Stripe.PaymentIntent,
  offer: Pick<Payment, 'amount_ore' | 'service_days'>,
): boolean {
  const finished = intent.status === 'succeeded' || intent.status === 'canceled';
  const samePrice =
    payment.amount_ore === offer.amount_ore && payment.service_days === offer.service_days;
  // While the bank authenticates its customer, the intent stays in use even when the price has changed.
  const inUse = intent.status === 'processing' || intent.status === 'requires_action';
  return !finished && (samePrice || inUse);
}
