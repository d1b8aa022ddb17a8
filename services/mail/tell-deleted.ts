import { findDeletion, forgetDeletion } from '#accounts/account-deletion.ts';
import { withTransaction } from '#database/pool.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { accountDeleted } from './account-deleted.ts';
import { currentAddresses } from './current-addresses.ts';
import { ACCOUNT_DELETED, forgetMail, type MailKey } from './mail-log.ts';
import { sendOnce, type MailDeps, type MailOutcome } from './send-once.ts';

/**
 * Confirms by mail that an account is deleted. Their address is forgotten with it, so that
 * hearing of it again sends nothing.
 *
 * @returns `not_needed` when it was confirmed before
 */
export async function tellDeleted(
  deps: MailDeps,
  { id: eventId, payload }: DeliveredEvent<'account.deleted'>,
): Promise<MailOutcome> {
  const deletion = await findDeletion(deps.db, payload.account_id);
  if (!deletion) return 'not_needed';
  const { email, language, by_administrator: byAdministrator } = deletion;
  const addresses = await currentAddresses(deps.db, deps.addresses);
  const content = accountDeleted(language, { byAdministrator }, addresses);
  const key: MailKey = { eventId, kind: ACCOUNT_DELETED, recipient: { email }, language };
  const outcome = await sendOnce(deps, key, email, content);
  if (typeof outcome === 'object') return outcome;
  await withTransaction(deps.db, async (tx) => {
    await forgetDeletion(tx, payload.account_id);
    await forgetMail(tx, key);
  });
  return outcome;
}
