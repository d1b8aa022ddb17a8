import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '#errors/app-error.ts';

// Links that stop mails without signing in. The key is the account's own, so a link is valid as long as the row
// with the key, and no secret in the configuration can leak all of them.

/** What a link stops. A link of one kind does not stop the other. */
type Stopped = 'reminders' | 'news';

/** The length of a key in bytes: that of SHA-256, which signs with it. */
export const STOP_KEY_BYTES = 32;

const sign = (what: Stopped, accountId: string, key: Buffer) =>
  createHmac('sha256', key).update(`stop ${what} ${accountId}`).digest();

/** The token of a link that stops an account's mails. */
export const signStop = (what: Stopped, accountId: string, key: Buffer): string =>
  `${accountId}.${sign(what, accountId, key).toString('base64url')}`;

/**
 * The account that a token stops mails for.
 *
 * @param keyOf the account's key; null for none
 * @param message what to do instead, for the error
 * @throws AppError `not_found` for a token that is not valid
 */
export async function readStop(
  what: Stopped,
  token: string,
  keyOf: (accountId: string) => Promise<Buffer | null>,
  message: string,
): Promise<string> {
  const [accountId = '', signature = ''] = token.split('.');
  const key = await keyOf(accountId);
  const given = Buffer.from(signature, 'base64url');
  const expected = key && sign(what, accountId, key);
  if (!expected || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new AppError('not_found', { message });
  }
  return accountId;
}
