import type { Account } from '#accounts/account.ts';
import { hasPaid } from '#accounts/credit-ledger.ts';
import type { SignInMailDeps } from '#mail/send-once.ts';

/**
 * An account's address for mails that its learner has not asked for in this moment: verified, or that of a payment; null
 * for none. Anyone can sign up with an address that is not theirs, and its owner must get no mail about an account that
 * they never had.
 *
 * @throws AppError `identity_provider_failed`
 */
export async function provenAddress(
  { db, identity }: SignInMailDeps,
  { id, uid, email }: Account,
): Promise<string | null> {
  const user = await identity.findByUid(uid);
  if (user?.emailVerified) return user.email;
  return (await hasPaid(db, id)) ? email : null;
}
