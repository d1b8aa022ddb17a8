import type Stripe from 'stripe';
import { createAccount, readAccount, type Account } from '#accounts/account.ts';
import { addCredit } from '#accounts/credit-ledger.ts';
import type { Language } from '#accounts/language.ts';
import { withTransaction, type Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/emit.ts';
import { choosePassword, ensureIdentity } from './ensure-identity.ts';
import {
  findPayment,
  findPaymentByIntent,
  noteIntent,
  type Payment,
  type PaymentDeps,
} from './payment.ts';
import { retrieveIntent } from './payment-intent.ts';

export interface Settlement {
  payment: Payment;
  account: Account;
}

interface Owner {
  uid: string;
  email: string;
  displayName: string | null;
  language: Language;
  existed: boolean;
}

/**
 * Turns a succeeded PaymentIntent into days of service, exactly once, whoever calls it and however
 * often: the confirm calls and Stripe's webhook. What is true is read from Stripe.
 *
 * @param password for a registration: what the learner chose, when the learner is the caller
 * @throws AppError `payment_not_found`, `payment_not_completed` (not yet, or never),
 *   `payment_mismatch` (Stripe's amount or currency is not ours), `account_disabled` (settled long
 *   ago, for an account that is no more), `payment_provider_failed`, `identity_provider_failed`,
 *   `password_refused`, `email_refused`
 */
export async function settlePayment(
  deps: PaymentDeps,
  paymentIntentId: string,
  password?: string,
): Promise<Settlement> {
  const intent = await retrieveIntent(deps, paymentIntentId);
  const payment = await paymentOf(deps, intent);
  if (intent.status !== 'succeeded') {
    throw new AppError('payment_not_completed', { details: { status: intent.status } });
  }
  if (intent.amount_received !== payment.amount_ore || intent.currency !== payment.currency) {
    throw new AppError('payment_mismatch');
  }
  if (payment.state === 'settled') return settledBefore(deps, payment, password);
  // The identity is made outside the transaction: no call leaves the house while locks are held.
  const owner =
    payment.purpose === 'registration' ? await ensureOwner(deps, payment, password) : null;
  return withTransaction(deps.db, (tx) => settle(tx, payment, owner));
}

/** Finds our row of an intent, also when we crashed between making the intent and noting its id. */
async function paymentOf({ db }: PaymentDeps, intent: Stripe.PaymentIntent): Promise<Payment> {
  const known = await findPaymentByIntent(db, intent.id);
  if (known) return known;
  const paymentId = intent.metadata.payment_id;
  const noted = paymentId ? await noteIntent(db, paymentId, intent.id) : null;
  const payment = noted === intent.id ? await findPaymentByIntent(db, intent.id) : null;
  if (!payment) throw new AppError('payment_not_found');
  return payment;
}

/** Makes no identity anew: that of an account deleted since stays deleted. */
async function settledBefore(
  deps: PaymentDeps,
  payment: Payment,
  password: string | undefined,
): Promise<Settlement> {
  const account = await readAccount(deps.db, payment.account_id!);
  if (account.state !== 'active') throw new AppError('account_disabled');
  if (password && account.uid === payment.id) {
    await choosePassword(deps.identity, account.uid, password);
  }
  return { payment, account };
}

async function ensureOwner(
  deps: PaymentDeps,
  payment: Payment,
  password: string | undefined,
): Promise<Owner> {
  const email = payment.email ?? '';
  const displayName = payment.username;
  const identity = { uid: payment.id, email, displayName: displayName ?? email, password };
  const { uid, existed } = await ensureIdentity(deps.identity, identity);
  return { uid, email, displayName, language: payment.language, existed };
}

async function settle(tx: Transaction, payment: Payment, owner: Owner | null): Promise<Settlement> {
  const accountId = owner ? (await createAccount(tx, owner)).id : payment.account_id!;
  // Of several callers one changes the row; the others wait for it here and then find it settled.
  const { rows } = await tx.query<Payment>(
    `update payment set state = 'settled', settled_at = clock_timestamp(), account_id = $2,
       account_existed = $3
     where id = $1 and state <> 'settled' returning *`,
    [payment.id, accountId, owner?.existed ?? null],
  );
  const settled = rows[0];
  if (settled) {
    const { id: paymentId, service_days: days } = settled;
    await addCredit(tx, { accountId, paymentId, days });
    await emit(tx, 'payment.succeeded', { payment_id: paymentId, account_id: accountId });
  }
  const current = settled ?? (await findPayment(tx, payment.id))!;
  return { payment: current, account: await readAccount(tx, current.account_id!) };
}
