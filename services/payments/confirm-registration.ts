import { createAccount, type AccountSummary } from '#accounts/account.ts';
import { languageOfUser, type Language } from '#accounts/language.ts';
import type { WaitingDays } from '#accounts/credit-ledger.ts';
import { AppError } from '#errors/app-error.ts';
import { refuseWeakPassword } from '#identity/password-rule.ts';
import { readSettings } from '#settings/settings.ts';
import { countFreeRegistration } from './count-free-registration.ts';
import { confirmPayment, type NotYet } from './confirm-payment.ts';
import { findPaymentByIntent, type PaymentDeps } from './payment.ts';
import { findHolder } from './registration-owner.ts';

export interface Registration {
  /** May be left out only while the service is free. */
  paymentIntentId: string | undefined;
  email: string;
  username: string;
  password: string;
  /** Of a free registration; a paid one has said it with its payment. Norwegian by default. */
  language?: Language | undefined;
  /** The IP address where the call came from; counted for a free registration. */
  clientAddress?: string | undefined;
}

const NEW_FREE_ACCOUNT = { service_expires_at: null, is_active: true, days_remaining: 0 };

export interface RegistrationResult {
  status: 'settled';
  account: AccountSummary;
  waitingDays: WaitingDays[];
  /** The address had a user before. */
  accountExisted: boolean;
  /**
   * That user had not proved the address and was removed: a link to choose a password is mailed.
   * Otherwise the account was extended, and its password is unchanged.
   */
  passwordMailed: boolean;
}

/**
 * Makes the account of a registration whose payment succeeded. Calling it again changes nothing.
 *
 * @throws AppError `payment_not_found`, `payment_mismatch` (the payment is of another registration; details: `reason`),
 *   `password_refused`, `rate_limited` (while the service is free), and those of `confirmPayment`
 */
export async function confirmRegistration(
  deps: PaymentDeps,
  registration: Registration,
): Promise<RegistrationResult | NotYet> {
  const { paymentIntentId, password } = registration;
  // Before anything is made. A learner who has paid is asked for another, and nothing is paid again.
  await refuseWeakPassword(deps.identity, password, registration);
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
  const wanted = { uid: crypto.randomUUID(), email: email.toLowerCase(), displayName, password };
  await countFreeRegistration(deps, { email: wanted.email, clientAddress });
  const holder = await findHolder(deps, wanted);
  if (!holder) throw new AppError('identity_provider_failed');
  const answer = {
    status: 'settled' as const,
    waitingDays: [],
    accountExisted: false,
    passwordMailed: false,
  };
  if (holder.kind !== 'registration') {
    // Nothing was paid, so the caller may be a stranger. Nothing is taken from the user that there is, not
    // even from an unproven one, who may be a learner of the free period; only the owner of the address is told, by a
    // link to choose a new password, and the answer is that of a new account: also where no link can
    // be mailed, because the user is disabled or was mailed too many.
    const ownLanguage = await languageOfUser(deps.db, holder.user.uid, language);
    await deps.identity.sendPasswordLink(wanted.email, ownLanguage).catch(() => {});
    const account = { ...NEW_FREE_ACCOUNT, registered_at: new Date() };
    return { ...answer, account };
  }
  const unproven = { emailVerified: false, language };
  return { ...answer, account: await createAccount(deps.db, { ...wanted, ...unproven }) };
}
