import { AppError } from '#errors/app-error.ts';
import type { IdentityProvider, NewIdentity } from '#identity/identity-provider.ts';

export interface EnsuredIdentity {
  uid: string;
  /** The address had a user before this registration; its password is unchanged. */
  existed: boolean;
}

/**
 * Makes the identity of a registration, or finds it. The uid is chosen by us and the same on every
 * try, so that many callers, or one that crashed, end with one user.
 */
export async function ensureIdentity(
  provider: IdentityProvider,
  wanted: NewIdentity,
): Promise<EnsuredIdentity> {
  const outcome = await provider.createUser(wanted);
  if (outcome === 'created') return { uid: wanted.uid, existed: false };
  if (await choosePassword(provider, wanted.uid, wanted.password)) {
    return { uid: wanted.uid, existed: false };
  }
  const other = await provider.findByEmail(wanted.email);
  // Deleted between the two calls: the caller's next try makes it.
  if (!other) throw new AppError('identity_provider_failed');
  return { uid: other.uid, existed: true };
}

/**
 * Sets the password of a user that a registration made and that has none yet: the webhook was
 * first. Afterwards the password is its owner's, who may have chosen it by the mailed link.
 *
 * @returns whether there is such a user
 */
export async function choosePassword(
  provider: IdentityProvider,
  uid: string,
  password: string | undefined,
): Promise<boolean> {
  const user = await provider.findByUid(uid);
  if (user && password && !user.hasPassword && !user.hasSignedIn) {
    await provider.setPassword(uid, password);
  }
  return user !== null;
}
