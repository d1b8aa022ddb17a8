import { AppError } from '#errors/app-error.ts';
import type { IdentityProvider, NewIdentity } from '#identity/identity-provider.ts';

export interface EnsuredIdentity {
  uid: string;
  /** The address had a user before this registration; its password is unchanged. */
  existed: boolean;
}

/**
 * Makes the identity of a registration, or finds it. The uid is chosen by us and the same on every
 * try, so that many callers, or one that crashed, end with one user. A password is set only on the
 * user that this registration made, and only until its first sign-in: afterwards it is its owner's.
 */
export async function ensureIdentity(
  provider: IdentityProvider,
  wanted: NewIdentity,
): Promise<EnsuredIdentity> {
  const outcome = await provider.createUser(wanted);
  if (outcome === 'created') return { uid: wanted.uid, existed: false };
  const ours = await provider.findByUid(wanted.uid);
  if (ours) {
    if (wanted.password && !ours.hasSignedIn) {
      await provider.setPassword(ours.uid, wanted.password);
    }
    return { uid: ours.uid, existed: false };
  }
  const other = await provider.findByEmail(wanted.email);
  // Deleted between the two calls: the caller's next try makes it.
  if (!other) throw new AppError('identity_provider_failed');
  return { uid: other.uid, existed: true };
}
