import { recordAction } from '#audit/record-action.ts';
import { withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import type { Actor } from '#audit/actor.ts';
import { lockAccount } from './change-account.ts';
import type { UserDeps } from './user.ts';

/**
 * Has the sign-in service mail a user the link under which they choose a password.
 *
 * @throws AppError `user_not_found`, also for a deleted one and for one who cannot sign in at all,
 *   `identity_provider_failed`
 */
export async function sendPasswordLink(
  { db, identity }: UserDeps,
  { uid, actor }: { uid: string; actor: Actor },
): Promise<void> {
  const user = await identity.findByUid(uid);
  if (!user?.email) throw new AppError('user_not_found');
  // Kept first: a link that was sent and is in no log is worse than a log of one that failed.
  const language = await withTransaction(db, async (tx) => {
    const account = await lockAccount(tx, uid, user);
    if (account.state === 'deleted') throw new AppError('user_not_found');
    await recordAction(tx, { actor, action: 'user.password_link_sent', subject: user.email });
    return account.language;
  });
  await identity.sendPasswordLink(user.email, language);
}
