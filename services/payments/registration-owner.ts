import { readAccount } from '#accounts/account.ts';
import type { Language } from '#accounts/language.ts';
import { AppError } from '#errors/app-error.ts';
import { choosePassword, ensureIdentity } from './ensure-identity.ts';
import type { Payment, PaymentDeps } from './payment.ts';

/** Whose account a paid registration becomes. */
export interface Owner {
  uid: string;
  email: string;
  displayName: string | null;
  language: Language;
  /** The address had a user before. */
  existed: boolean;
}

/**
 * Makes the identity of a paid registration, or finds it.
 *
 * @param password what the learner chose, when the learner is the caller
 * @throws AppError `identity_provider_failed`, `email_refused`, `password_refused`
 */
export async function ensureOwner(
  deps: Pick<PaymentDeps, 'identity'>,
  payment: Payment,
  password: string | undefined,
): Promise<Owner> {
  const email = payment.email ?? '';
  const displayName = payment.username;
  const identity = { uid: payment.id, email, displayName: displayName ?? email, password };
  const { uid, existed } = await ensureIdentity(deps.identity, identity);
  return { uid, email, displayName, language: payment.language, existed };
}

/**
 * Sets the password of a registration that the webhook settled first. Makes no identity anew: that
 * of an account deleted since stays deleted.
 *
 * @throws AppError `account_disabled`
 */
export async function choosePasswordAfterwards(
  { db, identity }: Pick<PaymentDeps, 'db' | 'identity'>,
  payment: Payment,
  password: string,
): Promise<void> {
  const account = await readAccount(db, payment.account_id!);
  if (account.state !== 'active') throw new AppError('account_disabled');
  if (account.uid === payment.id) await choosePassword(identity, account.uid, password);
}
