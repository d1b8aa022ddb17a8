import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { Database, Queryable, Transaction } from '#database/pool.ts';
import type { IdentityProvider } from '#identity/identity-provider.ts';
import { readSettings } from '#settings/settings.ts';
import type { MailContent } from './compose-mail.ts';
import { type Mailer, MailRefusedError } from './send-mail.ts';

export interface MailAddresses {
  /** Where the product is: the origin, without a slash at the end. */
  publicUrl: string;
  supportEmail: string;
}

export interface MailDeps {
  db: Database;
  mailer: Mailer;
  addresses: MailAddresses;
}

/** Mails that ask whether their reader can sign in. */
export interface SignInMailDeps extends MailDeps {
  identity: Pick<IdentityProvider, 'findByUid' | 'findByEmail'>;
}

/**
 * `sent_before`: there was nothing to do. `refused`: the receiving server will never take it, or has
 * not for three days.
 * `retryInMs`: somebody else is sending it, and may die over it.
 */
type SendOutcome = 'sent' | 'sent_before' | 'refused' | { retryInMs: number };

/** `no_recipient`: their account was deleted meanwhile. `not_needed`: it is not true any more. */
export type MailOutcome = SendOutcome | 'no_recipient' | 'not_needed';

/** A mail that was given up, and not refused by a server. */
const NO_CODE = 0;

/** One mail to one person about one event: the key under which it is sent at most once. */
export interface MailKey {
  eventId: string;
  /** What the mail is, such as `payment_confirmation`. */
  kind: string;
  /** Whom it goes to. Somebody without an account is named by their address. */
  recipient: { accountId: string } | { email: string };
  language: AppLanguage;
}

/**
 * Sends a mail about an event to a person once, however often and by however many it is called.
 *
 * The mail is claimed before and marked after. Who dies in between may have sent it or not; it is
 * then sent again, because a receipt that never comes is worse than one that comes twice, and under
 * the same Message-ID, by which mail servers and programs recognise the second
 * (docs/decisions/0007-mail-is-sent-under-a-lease.md).
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

/** Records that the receiving server will never take it, by its SMTP code. */
async function markRefused(db: Queryable, id: string, code: number): Promise<void> {
  await db.query(
    `update mail set refused_at = clock_timestamp(), refused_code = $2
     where id = $1 and sent_at is null`,
    [id, code],
  );
}

/** Gives a mail up that has failed for three days. Returns whether it did. */
async function giveUpMail(db: Queryable, id: string, code: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update mail set refused_at = clock_timestamp(), refused_code = $2
     where id = $1 and sent_at is null
       and uuid_extract_timestamp(id) < clock_timestamp() - interval '3 days'`,
    [id, code],
  );
  return rowCount === 1;
}

/**
 * Gives a claim back after a try that failed. The next one may begin at once when the mail is new,
 * and later and later as it grows old: a mailbox that is full today is asked some times, not some
 * thousand.
 */
async function releaseMail(db: Queryable, id: string): Promise<void> {
  await db.query(
    `update mail set claimed_until = clock_timestamp()
       + least(interval '1 hour', greatest(interval '0',
           (clock_timestamp() - uuid_extract_timestamp(id) - interval '1 minute') / 2))
     where id = $1`,
    [id],
  );
}

async function markSent(db: Queryable, id: string): Promise<void> {
  await db.query('update mail set sent_at = clock_timestamp() where id = $1 and sent_at is null', [
    id,
  ]);
}

/** The mail is ours to send, or was dealt with, or somebody else is sending it until then. */
type Claim = { id: string } | 'done' | { retryInMs: number };

// Longer than a conversation takes with every one of its steps at its bound. After a crash a mail
// waits this long.
const CLAIM_SECONDS = 120;

/**
 * Claims a mail: of several callers one gets it. A claim that was neither kept nor given back, because
 * its holder died, runs out.
 */
export async function claimMail(db: Queryable, key: MailKey): Promise<Claim> {
  const { eventId, kind, recipient, language } = key;
  const accountId = 'accountId' in recipient ? recipient.accountId : null;
  const email = 'email' in recipient ? recipient.email.toLowerCase() : null;
  const { rows } = await db.query<{ id: string }>(
    `insert into mail (event_id, kind, account_id, email, language, claimed_until)
     values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6))
     on conflict (event_id, kind, account_id, email)
       do update set claimed_until = excluded.claimed_until, language = excluded.language
       where mail.sent_at is null and mail.refused_at is null
         and mail.claimed_until <= clock_timestamp()
     returning id`,
    [eventId, kind, accountId, email, language, CLAIM_SECONDS],
  );
  return rows[0] ?? readClaim(db, eventId, kind, accountId, email);
}

async function readClaim(
  db: Queryable,
  eventId: string,
  kind: string,
  accountId: string | null,
  email: string | null,
): Promise<'done' | { retryInMs: number }> {
  const { rows } = await db.query<{ done: boolean; wait_ms: number }>(
    `select sent_at is not null or refused_at is not null as done,
       greatest(0, extract(epoch from claimed_until - clock_timestamp()) * 1000)::float8 as wait_ms
     from mail
     where event_id = $1 and kind = $2
       and account_id is not distinct from $3 and email is not distinct from $4`,
    [eventId, kind, accountId, email],
  );
  const mail = rows[0];
  return mail?.done ? 'done' : { retryInMs: mail?.wait_ms ?? 0 };
}

/** The kind of the last mail to somebody: whom it went to is not kept. */
export const ACCOUNT_DELETED = 'account_deleted';

/** Forgets a mail to somebody without an account, whose event will not be told of again. */
export async function forgetMail(tx: Transaction, { eventId, kind }: MailKey): Promise<void> {
  await tx.query('delete from mail where event_id = $1 and kind = $2 and email is not null', [
    eventId,
    kind,
  ]);
}

/** Forgets mails about deletions that outlasted their deletion: after it nothing is sent again. */
export async function forgetDeletionMails(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from mail
     where email is not null and kind = $1
       and uuid_extract_timestamp(id) < clock_timestamp() - interval '5 days'`,
    [ACCOUNT_DELETED],
  );
}

/**
 * Forgets mails about a search for payments, which have the address that somebody typed. They are
 * kept longer than the searches: no mail is sent about a search that is forgotten.
 */
export async function forgetSearchMails(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from mail
     where email is not null and kind = 'payment_search'
       and uuid_extract_timestamp(id) < clock_timestamp() - interval '2 days'`,
  );
}

interface Row {
  kind: string;
  language: AppLanguage;
  begun_at: Date;
  sent_at: Date | null;
  refused_at: Date | null;
}

/** The mails to an account, the newest first. What stood in them is not kept. */
export async function exportMails(db: Queryable, accountId: string) {
  const { rows } = await db.query<Row>(
    `select kind, language, uuid_extract_timestamp(id) as begun_at, sent_at, refused_at
     from mail where account_id = $1 order by id desc`,
    [accountId],
  );
  return rows.map(({ kind, language, begun_at, sent_at, refused_at }) => ({
    kind,
    language,
    begun_at: begun_at.toISOString(),
    sent_at: sent_at?.toISOString() ?? null,
    refused_at: refused_at?.toISOString() ?? null,
  }));
}

/** The addresses of a mail written now: an administrator may have chosen another one for support. */
export async function currentAddresses(
  db: Database,
  addresses: MailAddresses,
): Promise<MailAddresses> {
  const { support_email } = await readSettings(db);
  return { ...addresses, supportEmail: support_email ?? addresses.supportEmail };
}

/** Of the mails of the last day. */
export interface MailActivity {
  sent: number;
  refused: number;
  /** Seconds since one was sent; null when none was. */
  lastSeconds: number | null;
}

/** How mails go; those that wait are with their queue. */
export async function readMailActivity(db: Queryable): Promise<MailActivity> {
  const { rows } = await db.query<MailActivity>(
    `select count(sent_at)::int as sent, count(refused_at)::int as refused,
       extract(epoch from clock_timestamp() - max(sent_at))::float8 as "lastSeconds"
     from mail where id > (select uuidv7(interval '-1 day'))`,
  );
  return rows[0]!;
}
