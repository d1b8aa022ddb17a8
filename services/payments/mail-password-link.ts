import { languageOfUser } from '#accounts/language.ts';
import { findPayment, type Payment, type PaymentDeps } from './payment.ts';

/**
 * Lets the identity provider mail the link to choose a password to the owner of an address that a
 * registration took from an unverified identity. An owner who has proved the address meanwhile can
 * sign in already.
 *
 * @throws AppError `identity_provider_failed`
 */
export async function mailReclaimed(
  { db, identity }: Pick<PaymentDeps, 'db' | 'identity'>,
  paymentId: string,
): Promise<void> {
  const payment = await findPayment(db, paymentId);
  const user = payment?.email ? await identity.findByEmail(payment.email) : null;
  if (!payment || !user || user.emailVerified) return;
  await identity.sendPasswordLink(user.email, await languageOfUser(db, user.uid, payment.language));
}

/**
 * Lets the identity provider mail a link to choose a password to whom an account was made without
 * their being there. Who has a password, or has been in, gets none; nor does the owner of a reclaimed
 * address, whose link is mailed by `mailReclaimed`.
 *
 * @throws AppError `identity_provider_failed`
 */
export async function mailPasswordLink(
  { db, identity }: Pick<PaymentDeps, 'db' | 'identity'>,
  payment: Payment,
): Promise<void> {
  const { purpose, state, address_reclaimed: isReclaimed } = payment;
  if (purpose !== 'registration' || state !== 'settled' || isReclaimed) return;
  const user = await identity.findByUid(payment.id);
  if (!user || user.hasPassword || user.hasSignedIn) return;
  await identity.sendPasswordLink(user.email, await languageOfUser(db, user.uid, payment.language));
}
