import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { Database, Queryable, Transaction } from '#database/pool.ts';
import type { IdentityProvider } from '#identity/identity-provider.ts';
import { readSettings } from '#settings/settings.ts';
import type { MailContent } from './compose-mail.ts';
import { type Mailer, MailRefusedError } from './send-mail.ts';

export interface MailAddresses {
  /** The origin of the product, without a slash at the end. */
  publicUrl: string;
  supportEmail: string;
}

export interface MailDeps {
  db: Database;
  mailer: Mailer;
  addresses: MailAddresses;
}

/** For mails that depend on whether their recipient can sign in. */
export interface SignInMailDeps extends MailDeps {
  identity: Pick<IdentityProvider, 'findByUid' | 'findByEmail'>;
}

/**
 * `sent_before`: there was nothing to do. `refused`: the receiving server will never accept it, or has not
 * for three days. `retryInMs`: another worker holds the lease; try again in case it dies.
 */
type SendOutcome = 'sent' | 'sent_before' | 'refused' | { retryInMs: number };

/** `no_recipient`: the account was deleted meanwhile. `not_needed`: the content is no longer true. */
export type MailOutcome = SendOutcome | 'no_recipient' | 'not_needed';

/** The stored code of a mail that was given up without a permanent rejection by a server. */
const NO_CODE = 0;

/**
 * How long the record of a mail to an address without an account is kept, by kind. Longer than what asked for the mail,
 * such as a payment search: while that exists, it could send its mail again.
 */
const RETENTION = {
  payment_search: '2 days',
  message_test_no: '5 days',
  message_test_en: '5 days',
  password_link: '5 days',
  payment_processing: '5 days',
  payment_failed: '5 days',
  payment_refunded: '5 days',
  code_packet: '5 days',
  account_deleted: '5 days',
} as const;

interface MailFacts {
  eventId: string;
  /** For a recipient whose account may be new: the address that an attempt before the account has claimed it for. */
  formerEmail?: string | null;
  language: AppLanguage;
  /** Not sent again after a worker died while it sent it: better lost than twice. */
  atMostOnce?: boolean;
}

/** A mail whose recipient may have no account, and is then identified by the address. */
export interface MailByAddress extends MailFacts {
  kind: keyof typeof RETENTION;
  recipient: { accountId: string } | { email: string };
}

interface MailToAccount extends MailFacts {
  /** What the mail is, such as `payment_confirmation`. */
  kind: string;
  recipient: { accountId: string };
}

/** One mail to one person about one event: the key under which it is sent at most once. */
export type MailKey = MailByAddress | MailToAccount;

/**
 * Sends a mail about an event to a person once, also when it is called repeatedly or concurrently.
 *
 * A worker takes a lease on the mail before it sends, renews it while it sends, and marks the mail as sent afterwards.
 * A worker that dies in between may have sent it or not. It is then sent again, because a receipt that never comes is
 * worse than one that comes twice; the Message-ID is the same, so that mail servers and programs recognise
 * the duplicate (docs/decisions/0007-mail-is-sent-under-a-lease.md).
 *
 * @param to the current address
 * @param content a function is called by the one who sends, for each attempt
 * @throws the error of the SMTP server or the connection; the next call tries again
 */
export async function sendOnce(
  { db, mailer }: Pick<MailDeps, 'db' | 'mailer'>,
  key: MailKey,
  to: string,
  content: MailContent | (() => Promise<MailContent>),
): Promise<SendOutcome> {
  const claim = await claimMail(db, key);
  if (claim === 'done') return 'sent_before';
  if ('retryInMs' in claim) return claim;
  const { id } = claim;
  const lease = keepLease(db, claim);
  try {
    const { support_email: replyTo } = await readSettings(db);
    const parts = typeof content === 'function' ? await content() : content;
    // The lease on a mail that is sent at most once never ends, so no other worker can have it.
    const beforeEnd = key.atMostOnce ? undefined : lease.renew;
    await mailer.send({ ...parts, to, id, replyTo, ...(beforeEnd && { beforeEnd }) });
  } catch (error) {
    const held = await lease.end();
    if (error instanceof LeaseLostError) {
      const outcome = await readClaim(db, key);
      return outcome === 'done' ? 'sent_before' : outcome;
    }
    if (error instanceof MailRefusedError) {
      await markRefused(db, held, error);
      return 'refused';
    }
    if (await giveUpMail(db, held)) return 'refused';
    await releaseMail(db, held);
    throw error;
  }
  try {
    // Under the lease, too: otherwise a slow database would let another worker send it.
    await markSent(db, id);
  } finally {
    await lease.end();
  }
  return 'sent';
}

/** Records a permanent rejection by the receiving server. */
async function markRefused(
  db: Queryable,
  { id, until }: Lease,
  { code, part }: MailRefusedError,
): Promise<void> {
  await db.query(
    `update mail set refused_at = clock_timestamp(), refused_code = $3, refused_part = $4
     where id = $1 and claimed_until = $2 and sent_at is null`,
    [id, until, code, part],
  );
}

/** Gives up a mail that has failed for three days. Returns whether it did. */
async function giveUpMail(db: Queryable, { id, until }: Lease): Promise<boolean> {
  const { rowCount } = await db.query(
    `update mail set refused_at = clock_timestamp(), refused_code = ${NO_CODE}
     where id = $1 and claimed_until = $2 and sent_at is null
       and uuid_extract_timestamp(id) < clock_timestamp() - interval '3 days'`,
    [id, until],
  );
  return rowCount === 1;
}

/**
 * Releases the lease after a failed attempt. Sets the backoff: the next attempt may begin at once while the
 * mail is new, and waits longer the older it is, up to an hour. So a mailbox that is full for a day gets
 * tens of attempts and not thousands.
 */
async function releaseMail(db: Queryable, { id, until }: Lease): Promise<void> {
  await db.query(
    `update mail set claimed_until = clock_timestamp()
       + least(interval '1 hour', greatest(interval '0',
           (clock_timestamp() - uuid_extract_timestamp(id) - interval '1 minute') / 2))
     where id = $1 and claimed_until = $2`,
    [id, until],
  );
}

/** Also without the lease: the server has the mail. */
async function markSent(db: Queryable, id: string): Promise<void> {
  await db.query(
    `update mail set sent_at = clock_timestamp()
     where id = $1 and sent_at is null and refused_at is null`,
    [id],
  );
}

/**
 * The lease on a mail. Each renewal and each takeover changes its end, so the end also says who holds it. It is text,
 * because a Date has no microseconds; that of a mail that is sent at most once is `infinity`.
 */
interface Lease {
  id: string;
  until: string;
}

/** The caller holds the lease, or the mail is done, or another worker's lease ends in that time. */
type Claim = Lease | 'done' | { retryInMs: number };

// After a crash a mail waits this long; in the same time another worker gets the job of the dead one.
const LEASE_SECONDS = 10;
// Two renewals may fail before the lease ends.
const RENEW_INTERVAL_MS = 3_000;

/**
 * Takes the lease on a mail: of several callers one gets it. The lease of a holder that died expires, except
 * that of a mail that is sent at most once.
 */
export async function claimMail(db: Queryable, key: MailKey): Promise<Claim> {
  const { eventId, kind, recipient, formerEmail, language, atMostOnce = false } = key;
  if ('accountId' in recipient && formerEmail) {
    await moveToAccount(db, key, recipient.accountId, formerEmail);
  }
  const { rows } = await db.query<Lease>(
    `insert into mail (event_id, kind, account_id, email, language, claimed_until)
     values ($1, $2, $3, $4, $5, coalesce(clock_timestamp() + make_interval(secs => $6), 'infinity'))
     on conflict (event_id, kind, account_id, email)
       do update set claimed_until = excluded.claimed_until, language = excluded.language
       where mail.sent_at is null and mail.refused_at is null
         and mail.claimed_until <= clock_timestamp()
     returning id, claimed_until::text as until`,
    [eventId, kind, ...columnsOf(recipient), language, atMostOnce ? null : LEASE_SECONDS],
  );
  return rows[0] ?? readClaim(db, key);
}

/** Another worker has taken the mail: this process stood still, or could not reach the database, for too long. */
class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** Renews a lease until `end`, which returns it as it is then. */
function keepLease(db: Queryable, lease: Lease) {
  let last: Promise<unknown> = Promise.resolve();
  let held = lease;
  // One after the other: each needs the end that the one before has set.
  const renew = (): Promise<void> => {
    const next = last.then(async () => {
      held = await renewLease(db, held);
    });
    last = next.catch(() => {});
    return next;
  };
  // A failure is no reason to stop: the renewal before the end of the mail decides.
  const timer = setInterval(() => void renew().catch(() => {}), RENEW_INTERVAL_MS);
  const end = async (): Promise<Lease> => {
    clearInterval(timer);
    await last;
    return held;
  };
  return { renew, end };
}

/** @throws LeaseLostError when another worker has taken the mail, or it is not needed any more */
async function renewLease(db: Queryable, { id, until }: Lease): Promise<Lease> {
  const { rows } = await db.query<Lease>(
    `update mail
     set claimed_until = greatest(claimed_until, clock_timestamp() + make_interval(secs => $3))
     where id = $1 and claimed_until = $2 and sent_at is null and refused_at is null
     returning id, claimed_until::text as until`,
    [id, until, LEASE_SECONDS],
  );
  if (!rows[0]) throw new LeaseLostError('Another worker has taken this mail');
  return rows[0];
}

/** Keeps the lease and the Message-ID of a mail whose recipient has got an account since it was claimed. */
async function moveToAccount(
  db: Queryable,
  { eventId, kind }: MailKey,
  accountId: string,
  formerEmail: string,
): Promise<void> {
  await db.query(
    `update mail set account_id = $3, email = null
     where event_id = $1 and kind = $2 and email = $4
       and not exists (select from mail where event_id = $1 and kind = $2 and account_id = $3)`,
    [eventId, kind, accountId, formerEmail.toLowerCase()],
  );
}

async function readClaim(
  db: Queryable,
  { eventId, kind, recipient }: MailKey,
): Promise<'done' | { retryInMs: number }> {
  const { rows } = await db.query<{ done: boolean; wait_ms: number }>(
    `select sent_at is not null or refused_at is not null or claimed_until = 'infinity' as done,
       greatest(0, extract(epoch from claimed_until - clock_timestamp()) * 1000)::float8 as wait_ms
     from mail
     where event_id = $1 and kind = $2
       and account_id is not distinct from $3 and email is not distinct from $4`,
    [eventId, kind, ...columnsOf(recipient)],
  );
  const mail = rows[0];
  return mail?.done ? 'done' : { retryInMs: mail?.wait_ms ?? 0 };
}

/** The columns `account_id` and `email` of a recipient. */
function columnsOf(recipient: MailKey['recipient']): [string | null, string | null] {
  return 'accountId' in recipient
    ? [recipient.accountId, null]
    : [null, recipient.email.toLowerCase()];
}

/**
 * SQL over `account`: whether a server has refused its address for good since it last changed. Mails of which it is not
 * known what was refused count too.
 */
export const ADDRESS_REFUSED = `exists (
  select from mail where mail.account_id = account.id and refused_code > ${NO_CODE}
    and refused_part is distinct from 'content'
    and refused_at > coalesce(account.email_taken_at, '-infinity'))`;

/** Whether a server has refused the account's address for good since it last changed. */
export async function isAddressRefused(db: Queryable, accountId: string): Promise<boolean> {
  const { rowCount } = await db.query(`select from account where id = $1 and ${ADDRESS_REFUSED}`, [
    accountId,
  ]);
  return rowCount !== 0;
}

/**
 * Deletes the claims on mails of events that are consumed without them: an attempt failed, and then the mail was not
 * needed any more, or had no recipient. Otherwise they would wait forever. Those that are sent at most once stay, and
 * say that they were interrupted.
 */
export async function forgetUnsentMails(tx: Transaction, eventIds: string[]): Promise<void> {
  await tx.query(
    `delete from mail
     where event_id = any ($1) and sent_at is null and refused_at is null and claimed_until < 'infinity'`,
    [eventIds],
  );
}

/** Deletes the record of a mail to an address without an account, once its event cannot be delivered again. */
export async function forgetMail(tx: Transaction, { eventId, kind }: MailKey): Promise<void> {
  await tx.query('delete from mail where event_id = $1 and kind = $2 and email is not null', [
    eventId,
    kind,
  ]);
}

/**
 * Deletes old records of mails to addresses without an account. Those of a kind that is not known have the shortest
 * time.
 */
export async function forgetMailsByAddress(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from mail
     where email is not null and uuid_extract_timestamp(id) < clock_timestamp()
       - coalesce($1::jsonb ->> kind, '2 days')::interval`,
    [RETENTION],
  );
}

interface Row {
  kind: string;
  language: AppLanguage;
  begun_at: Date;
  sent_at: Date | null;
  refused_at: Date | null;
}

/** The mails to an account, newest first. Their content is not stored. */
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

/** The addresses for a new mail. An administrator may have set another support address. */
export async function currentAddresses(
  db: Database,
  addresses: MailAddresses,
): Promise<MailAddresses> {
  const { support_email } = await readSettings(db);
  return { ...addresses, supportEmail: support_email ?? addresses.supportEmail };
}

/** The mails of the last 24 hours. */
export interface MailActivity {
  sent: number;
  refused: number;
  /** Seconds since the last one was sent; null when none was. */
  lastSeconds: number | null;
}

/** Reads the figures about mails for operators. Waiting mails are counted by their queue. */
export async function readMailActivity(db: Queryable): Promise<MailActivity> {
  const { rows } = await db.query<MailActivity>(
    `select count(sent_at)::int as sent, count(refused_at)::int as refused,
       extract(epoch from clock_timestamp() - max(sent_at))::float8 as "lastSeconds"
     from mail where id > (select uuidv7(interval '-1 day'))`,
  );
  return rows[0]!;
}
