import { createAccount, type Account } from '#accounts/account.ts';
import { AppError } from '#errors/app-error.ts';
import { readSettings } from '#settings/settings.ts';
import { ensureIdentity } from './ensure-identity.ts';
import { findPaymentByIntent, type PaymentDeps } from './payment.ts';
import { settlePayment } from './settle-payment.ts';

export interface Registration {
  /** May be left out only while the service is free. */
  paymentIntentId: string | undefined;
  email: string;
  username: string;
  password: string;
}

export interface RegistrationResult {
  account: Account;
  /** The address had an account: it was extended, and its password is unchanged. */
  accountExisted: boolean;
}

/**
 * Makes the account of a registration whose payment succeeded. Calling it again changes nothing.
 *
 * @throws AppError `payment_not_found`, `payment_mismatch` (the payment is of another registration),
 *   and those of `settlePayment`
 */
export async function confirmRegistration(
  deps: PaymentDeps,
  registration: Registration,
): Promise<RegistrationResult> {
  const { paymentIntentId, password } = registration;
  if (!paymentIntentId) return registerFree(deps, registration);
  const payment = await findPaymentByIntent(deps.db, paymentIntentId);
  if (!payment) throw new AppError('payment_not_found');
  if (payment.purpose !== 'registration' || payment.email !== registration.email.toLowerCase()) {
    throw new AppError('payment_mismatch');
  }
  const settlement = await settlePayment(deps, paymentIntentId, password);
  return {
    account: settlement.account,
    accountExisted: settlement.payment.account_existed ?? false,
  };
}

async function registerFree(
  deps: Pick<PaymentDeps, 'db' | 'identity'>,
  { email, username, password }: Registration,
): Promise<RegistrationResult> {
  const { price_ore } = await readSettings(deps.db);
  if (price_ore > 0) {
    throw new AppError('validation_failed', { details: { field: 'payment_intent_id' } });
  }
  const displayName = username.trim();
  const wanted = { uid: crypto.randomUUID(), email: email.toLowerCase(), displayName, password };
  const { uid, existed } = await ensureIdentity(deps.identity, wanted);
  const account = await createAccount(deps.db, { uid, email: wanted.email, displayName });
  return { account, accountExisted: existed };
}
