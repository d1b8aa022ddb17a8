import type { Database } from '#database/pool.ts';
import { readSettings } from '#settings/settings.ts';
import type { MailContent } from './compose-mail.ts';
import {
  claimMail,
  giveUpMail,
  markRefused,
  markSent,
  releaseMail,
  type MailKey,
} from './mail-log.ts';
import type { MailAddresses } from './payment-confirmation.ts';
import { MailRefusedError, type Mailer } from './send-mail.ts';

export interface MailDeps {
  db: Database;
  mailer: Mailer;
  addresses: MailAddresses;
}

/**
 * `sent_before`: there was nothing to do. `refused`: the receiving server will never take it, or has
 * not for three days.
 * `retryInMs`: somebody else is sending it, and may die over it.
 */
export type SendOutcome = 'sent' | 'sent_before' | 'refused' | { retryInMs: number };

/** `no_recipient`: their account was deleted meanwhile. `not_needed`: it is not true any more. */
export type MailOutcome = SendOutcome | 'no_recipient' | 'not_needed';

/** A mail that was given up, and not refused by a server. */
const NO_CODE = 0;

/**
 * Sends a mail about an event to a person once, however often and by however many it is called.
 *
 * The mail is claimed before and marked after. Who dies in between may have sent it or not; it is
 * then sent again, because a receipt that never comes is worse than one that comes twice, and under
 * the same Message-ID, by which mail servers and programs recognise the second
 * (docs/decisions/0007-a-mail-is-claimed-sent-and-marked.md).
 *
 * @param to the address, as it is now
 * @throws what the SMTP server or the way to it failed with; the next call tries again
 */
export async function sendOnce(
  { db, mailer }: Pick<MailDeps, 'db' | 'mailer'>,
  key: MailKey,
  to: string,
  content: MailContent,
): Promise<SendOutcome> {
  const claim = await claimMail(db, key);
  if (claim === 'done') return 'sent_before';
  if ('retryInMs' in claim) return claim;
  try {
    const { support_email: replyTo } = await readSettings(db);
    await mailer.send({ ...content, to, id: claim.id, replyTo });
  } catch (error) {
    if (error instanceof MailRefusedError) {
      await markRefused(db, claim.id, error.code);
      return 'refused';
    }
    if (await giveUpMail(db, claim.id, NO_CODE)) return 'refused';
    await releaseMail(db, claim.id);
    throw error;
  }
  await markSent(db, claim.id);
  return 'sent';
}
