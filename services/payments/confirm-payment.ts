import type { AppLanguage } from '@proveklar/contract/language.ts';
import {
  type Account,
  type AccountSummary,
  createAccount,
  languageOfUser,
  readAccount,
} from '#accounts/account.ts';
import { requestPasswordLink } from '#accounts/password-links.ts';
import { readWaitingDays, type WaitingDays } from '#accounts/credit-ledger.ts';
import { type Database, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { throwIfWeakPassword } from '#identity/password-rule.ts';
import { rateLimitAddress } from '#limits/client-address.ts';
import {
  ALL_NETWORKS_FACTOR,
  type Limits,
  throwIfLimited,
  secondsUntilAllowed,
  acquireCallerLocks,
} from '#limits/limits.ts';
import { readSettings } from '#settings/settings.ts';
import { findHolder } from './books/registration-owner.ts';
import { syncPayment } from './books/sync-payment.ts';
import { findPaymentByIntent, type Payment, type PaymentDeps } from './payment.ts';

interface Registration {
  /** Optional only while the service is free. */
  paymentIntentId: string | undefined;
  email: string;
  username: string;
  password: string;
  /** For a free registration; a paid one has it in its payment. Norwegian by default. */
  language?: AppLanguage | undefined;
  /** The caller's IP address; rate limits free registrations. */
  clientAddress?: string | undefined;
}

const NEW_FREE_ACCOUNT = { service_expires_at: null, is_active: true, days_remaining: 0 };

interface RegistrationResult {
  status: 'settled';
  account: AccountSummary;
  waitingDays: WaitingDays[];
  /** The address already had a user. */
  accountExisted: boolean;
  /**
   * That user had not proved the address and was removed: the learner gets a mail with a link to choose
   * a password. When false, the account was extended and keeps its password.
   */
  passwordMailed: boolean;
}

/** The bank or its customer has not finished. No error: the client polls again. */
export interface PendingPayment {
  status: 'processing' | 'requires_action';
}

/**
 * Creates the account of a registration whose payment succeeded. Idempotent.
 *
 * @throws AppError `payment_not_found`, `payment_mismatch` (the payment is for another registration; details: `reason`),
 *   `password_refused`, `rate_limited` (while the service is free), and those of `confirmPayment`
 */
export async function confirmRegistration(
  deps: PaymentDeps,
  registration: Registration,
): Promise<RegistrationResult | PendingPayment> {
  const { paymentIntentId, password } = registration;
  // Before anything is created. A learner who has paid chooses another password and does not pay again.
  await throwIfWeakPassword(deps.identity, password, registration);
  if (!paymentIntentId) return registerFree(deps, registration);
  const payment = await findPaymentByIntent(deps.db, paymentIntentId);
  if (!payment) throw new AppError('payment_not_found');
  if (payment.purpose !== 'registration' || payment.email !== registration.email.toLowerCase()) {
    throw new AppError('payment_mismatch', { details: { reason: 'registration' } });
  }
  const result = await confirmPayment(deps, paymentIntentId, password);
  if (result.status !== 'settled') return result;
  const { account_existed: existed, address_reclaimed: passwordMailed } = result.payment;
  const { account, waitingDays } = result;
  return {
    status: 'settled',
    account,
    waitingDays,
    accountExisted: existed ?? false,
    passwordMailed,
  };
}

async function registerFree(
  deps: Pick<PaymentDeps, 'db' | 'identity' | 'limits'>,
  { email, username, password, language, clientAddress }: Registration,
): Promise<RegistrationResult> {
  const { price_ore } = await readSettings(deps.db);
  if (price_ore > 0) {
    throw new AppError('validation_failed', { details: { field: 'payment_intent_id' } });
  }
  const displayName = username.trim();
  const newIdentity = {
    uid: crypto.randomUUID(),
    email: email.toLowerCase(),
    displayName,
    password,
  };
  await countFreeRegistration(deps, { email: newIdentity.email, clientAddress });
  const holder = await findHolder(deps, newIdentity);
  if (!holder) throw new AppError('identity_provider_failed');
  const answer = {
    status: 'settled' as const,
    waitingDays: [],
    accountExisted: false,
    passwordMailed: false,
  };
  if (holder.kind !== 'registration') {
    // Nothing was paid, so the caller may be a stranger. The existing user is left alone, even an
    // unproven one, who may be a learner of the free period. The owner of the address gets a mail with a
    // link to choose a new password. The answer is that of a new account, even when no mail is sent because
    // the user is disabled.
    const ownLanguage = await languageOfUser(deps.db, holder.user.uid, language);
    const request = { email: newIdentity.email, language: ownLanguage };
    await withTransaction(deps.db, (tx) =>
      requestPasswordLink(tx, { ...request, reason: 'registered_again' }),
    );
    const account = { ...NEW_FREE_ACCOUNT, registered_at: new Date() };
    return { ...answer, account };
  }
  const unproven = { emailVerified: false, language };
  return { ...answer, account: await createAccount(deps.db, { ...newIdentity, ...unproven }) };
}

const FROM_SAME_NETWORK = 'email = $2 and client_address is not distinct from $1';

/**
 * Rate limits registrations without payment, by the limits on payments: each creates a user or mails
 * the owner of the address. It counts attempts and not users, so that the answer does not reveal whether
 * the address has a user. As for payments, one network cannot use up the attempts of the owner. The limit
 * over all networks is higher, but still protects the owner's mailbox.
 *
 * @throws AppError `rate_limited` with `retry_after_s`: seconds until one more is allowed
 */
async function countFreeRegistration(
  { db, limits }: { db: Database; limits: Limits },
  { email, clientAddress }: { email: string; clientAddress: string | undefined },
): Promise<void> {
  const address = clientAddress === undefined ? null : rateLimitAddress(clientAddress);
  await withTransaction(db, async (tx) => {
    await acquireCallerLocks(tx, { clientAddress: address, email, accountId: null });
    const { rows } = await tx.query<Record<'address' | 'own' | 'anywhere', number>>(
      `select ${secondsUntilAllowed('free_registration', 'created_at', 'client_address = $1', 3)} as address,
         ${secondsUntilAllowed('free_registration', 'created_at', FROM_SAME_NETWORK, 4)} as own,
         ${secondsUntilAllowed('free_registration', 'created_at', 'email = $2', 5)} as anywhere`,
      [address, email, limits.perAddress, limits.perEmail, limits.perEmail * ALL_NETWORKS_FACTOR],
    );
    throwIfLimited(Math.max(...Object.values(rows[0]!)));
    await tx.query('insert into free_registration (client_address, email) values ($1, $2)', [
      address,
      email,
    ]);
  });
}

/** A settled payment. */
interface SettledPayment {
  status: 'settled';
  payment: Payment;
  account: Account;
  /** Days that start later; includes this payment's when it followed a withdrawal without consent. */
  waitingDays: WaitingDays[];
}

/**
 * Settles an account's payment for more service. Idempotent.
 *
 * @throws AppError `payment_not_found`, also for the payment of another account, `account_disabled`,
 *   and those of `confirmPayment`
 */
export async function confirmExtension(
  deps: PaymentDeps,
  accountId: string,
  paymentIntentId: string,
): Promise<SettledPayment | PendingPayment> {
  // The webhook settles a paid payment anyway. The account only decides the answer.
  const { rows } = await deps.db.query<{ state: string }>(
    `select account.state from payment join account on account.id = account_id
     where payment_intent_id = $1 and account_id = $2`,
    [paymentIntentId, accountId],
  );
  if (!rows[0]) throw new AppError('payment_not_found');
  if (rows[0].state !== 'active') throw new AppError('account_disabled');
  return confirmPayment(deps, paymentIntentId);
}

/**
 * Settles a payment that its learner reports as made, if Stripe confirms it.
 *
 * @throws AppError `payment_not_completed` (no card has paid it), `payment_declined` (the bank refused
 *   the card; details: Stripe's `decline_code`), `payment_cancelled`, `payment_expired` (not paid within
 *   a day), `payment_mismatch` (Stripe took another amount), and those of `syncPayment`
 */
export async function confirmPayment(
  deps: PaymentDeps,
  paymentIntentId: string,
  password?: string,
): Promise<SettledPayment | PendingPayment> {
  const payment = await syncPayment(deps, paymentIntentId, { password });
  if (payment.state === 'settled') {
    const account = await readAccount(deps.db, payment.account_id!);
    if (account.state !== 'active') throw new AppError('account_disabled');
    const waitingDays = await readWaitingDays(deps.db, account.id);
    return { status: 'settled', payment, account, waitingDays };
  }
  const { intent_status: status } = payment;
  if (status === 'processing') return { status: 'processing' };
  if (status === 'requires_action') return { status: 'requires_action' };
  if (status === 'succeeded') {
    const message = 'Another amount was paid than was asked for. Do not pay again; write to us.';
    throw new AppError('payment_mismatch', { message, details: { reason: 'amount' } });
  }
  if (payment.state === 'cancelled') throw cancelledError(payment);
  const decline = await lastDecline(deps, payment);
  if (decline) throw new AppError('payment_declined', { details: { decline_code: decline.code } });
  throw new AppError('payment_not_completed', { details: { status } });
}

async function lastDecline(
  { db }: Pick<PaymentDeps, 'db'>,
  { id }: Payment,
): Promise<{ code: string | null } | undefined> {
  const { rows } = await db.query<{ code: string | null }>(
    'select code from card_decline where payment_id = $1 order by declined_at desc limit 1',
    [id],
  );
  return rows[0];
}

/** The error for continuing a cancelled payment. */
export function cancelledError({ cancel_reason: reason }: Payment): AppError {
  if (reason === 'abandoned') return new AppError('payment_expired');
  return new AppError('payment_cancelled', { details: { reason } });
}
