import { readAccount, type Account } from '#accounts/account.ts';
import { hasPaid } from '#accounts/credit-ledger.ts';
import { readNote } from '#audit/record-action.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { accountDisabled } from './account-disabled.ts';
import { accountEnabled } from './account-enabled.ts';
import type { SignInMailDeps } from './confirm-payment.ts';
import { currentAddresses } from './current-addresses.ts';
import { sendOnce, type MailOutcome } from './send-once.ts';

/**
 * Tells a learner by mail that an administrator has closed their account, with the reason when one was
 * given.
 *
 * @returns `not_needed` when the account is open again, `no_recipient` when it was deleted, or its address
 *   was neither verified nor paid under
 * @throws AppError `identity_provider_failed`
 */
export async function tellDisabled(
  deps: SignInMailDeps,
  { id: eventId, payload }: DeliveredEvent<'account.disabled'>,
): Promise<MailOutcome> {
  const account = await readAccount(deps.db, payload.account_id);
  if (account.state === 'active') return 'not_needed';
  const to = account.state === 'disabled' ? await provedAddress(deps, account) : null;
  if (to === null) return 'no_recipient';
  const { id: accountId, language, display_name: name } = account;
  const reason = await readNote(deps.db, payload.entry_id);
  const addresses = await currentAddresses(deps.db, deps.addresses);
  const content = accountDisabled(language, { name, reason }, addresses);
  const key = { eventId, kind: 'account_disabled', recipient: { accountId }, language };
  return sendOnce(deps, key, to, content);
}

/**
 * Tells a learner by mail that an administrator has opened their account again.
 *
 * @returns as `tellDisabled`, `not_needed` when it was closed again
 * @throws AppError `identity_provider_failed`
 */
export async function tellEnabled(
  deps: SignInMailDeps,
  { id: eventId, payload }: DeliveredEvent<'account.enabled'>,
): Promise<MailOutcome> {
  const account = await readAccount(deps.db, payload.account_id);
  if (account.state === 'disabled') return 'not_needed';
  const to = account.state === 'active' ? await provedAddress(deps, account) : null;
  if (to === null) return 'no_recipient';
  const { id: accountId, language, display_name: name } = account;
  const addresses = await currentAddresses(deps.db, deps.addresses);
  const content = accountEnabled(language, name, addresses);
  const key = { eventId, kind: 'account_enabled', recipient: { accountId }, language };
  return sendOnce(deps, key, to, content);
}

/**
 * The address that an account's mails about its closing go to; null for none. Anyone can sign up with an
 * address that is not theirs: its owner is not told of an account that they never had.
 */
async function provedAddress(
  { db, identity }: SignInMailDeps,
  { id, uid, email }: Account,
): Promise<string | null> {
  const user = await identity.findByUid(uid);
  if (user?.emailVerified) return user.email;
  return (await hasPaid(db, id)) ? email : null;
}
