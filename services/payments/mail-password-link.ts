import type { Payment, PaymentDeps } from './payment.ts';

/**
 * Lets the identity provider mail a link to choose a password to whom an account was made without
 * their being there. Who has a password, or has been in, gets none.
 *
 * @throws AppError `identity_provider_failed`
 */
export async function mailPasswordLink(
  { identity }: Pick<PaymentDeps, 'identity'>,
  payment: Payment,
): Promise<void> {
  if (payment.purpose !== 'registration' || payment.state !== 'settled') return;
  const user = await identity.findByUid(payment.id);
  if (user && !user.hasPassword && !user.hasSignedIn) await identity.sendPasswordLink(user.email);
}
