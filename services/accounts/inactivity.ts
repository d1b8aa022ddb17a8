import type { Queryable, Transaction } from '#database/pool.ts';

// An account that is not used is deleted after two years, a month after a mail that warns of it. `/personvern`
// states both. Any call with the learner's token stops it.

const INACTIVE_YEARS = 2;
/** From the warning to the deletion, at least. */
const NOTICE_DAYS = 30;
/** A warning that was not mailed by then is requested again: its event may have been dismissed. */
const ASK_AGAIN = '7 days';

const TODAY = `(coalesce($1::timestamptz, now()) at time zone 'Europe/Oslo')::date`;

/** SQL over `account`: whether the account has been seen today (Europe/Oslo), or is deleted. */
export const SEEN_TODAY = `coalesce(account.last_seen_on >=
  (statement_timestamp() at time zone 'Europe/Oslo')::date, true)`;

// Days that are bought and not used are kept, however long ago that was.
const HAS_NO_DAYS = `
  coalesce(account.service_expires_at <= now(), true) and not exists (
    select from credit where credit.account_id = account.id
      and begins_at is not null and days > days_taken_back)`;

/**
 * Records that the account is in use today. Skips an account that is locked, so that a call never waits for
 * it; the next call records it.
 */
export async function recordSeen(db: Queryable, accountId: string): Promise<void> {
  await db.query(
    `update account set last_seen_on = (now() at time zone 'Europe/Oslo')::date,
       inactive_asked_at = null, inactive_warned_at = null
     where id in (select id from account where id = $1 and state = 'active' and not ${SEEN_TODAY}
                  for no key update skip locked)`,
    [accountId],
  );
}

interface Search {
  /** Accounts in the batch, so that the transaction stays small; the next call continues. */
  limit: number;
  /** The time; by default the database's. */
  at?: Date | null;
}

/**
 * Emits `account.inactive` for accounts that are a month from their deletion. Disabled accounts too: their
 * learners are told that they may write to us.
 *
 * @returns the number of accounts
 */
export async function findInactive(tx: Transaction, { limit, at = null }: Search): Promise<number> {
  const { rowCount } = await tx.query(
    `with found as (
       select id from account
       where state in ('active', 'disabled') and inactive_warned_at is null
         and last_seen_on <= ${TODAY} + ${NOTICE_DAYS} - interval '${INACTIVE_YEARS} years'
         and coalesce(inactive_asked_at < now() - interval '${ASK_AGAIN}', true) and ${HAS_NO_DAYS}
       order by last_seen_on, id limit $2 for no key update skip locked
     ), marked as (
       update account set inactive_asked_at = now() from found where account.id = found.id
       returning account.id)
     insert into outbox (name, payload)
     select 'account.inactive', jsonb_build_object('account_id', id) from marked`,
    [at, limit],
  );
  return rowCount ?? 0;
}

export interface Inactivity {
  /** The first moment of the last day with a call (Europe/Oslo). */
  lastSeenOn: Date;
  /** The day from which the account may be deleted. */
  deletedOn: Date;
}

/** What a warning says; null when the account is used again, has days, or was warned. */
export async function readInactivity(db: Queryable, accountId: string): Promise<Inactivity | null> {
  const { rows } = await db.query<Inactivity>(
    `select last_seen_on::timestamp at time zone 'Europe/Oslo' as "lastSeenOn",
       greatest(last_seen_on + interval '${INACTIVE_YEARS} years',
                (now() at time zone 'Europe/Oslo')::date + ${NOTICE_DAYS})::timestamp
         at time zone 'Europe/Oslo' as "deletedOn"
     from account
     where id = $1 and inactive_asked_at is not null and inactive_warned_at is null and ${HAS_NO_DAYS}`,
    [accountId],
  );
  return rows[0] ?? null;
}

/** Records that a learner was warned, or cannot be. Does nothing when the account is used again. */
export async function recordWarned(db: Queryable, accountId: string): Promise<void> {
  await db.query(
    `update account set inactive_warned_at = now()
     where id = $1 and inactive_asked_at is not null and inactive_warned_at is null`,
    [accountId],
  );
}

const IS_DUE = `
  state in ('active', 'disabled') and last_seen_on <= ${TODAY} - interval '${INACTIVE_YEARS} years'
  and (inactive_warned_at at time zone 'Europe/Oslo')::date <= ${TODAY} - ${NOTICE_DAYS} and ${HAS_NO_DAYS}`;

/**
 * Emits `account.deletion_due` for accounts that were warned and not used since. An account is emitted again
 * until it is deleted, which is harmless.
 *
 * @returns the number of accounts
 */
export async function findDueDeletions(
  tx: Transaction,
  { limit, at = null }: Search,
): Promise<number> {
  const { rowCount } = await tx.query(
    `insert into outbox (name, payload)
     select 'account.deletion_due', jsonb_build_object('account_id', id)
     from account where ${IS_DUE} order by last_seen_on, id limit $2`,
    [at, limit],
  );
  return rowCount ?? 0;
}

/**
 * Locks an account that is due for deletion. If the sign-in service knows a later use than we do, that is
 * recorded instead.
 *
 * @param usedAt when the user last signed in or renewed a token, by the sign-in service; null for never
 * @returns whether it is still due
 */
export async function lockDueAccount(
  tx: Transaction,
  accountId: string,
  { usedAt, at = null }: { usedAt: Date | null; at?: Date | null },
): Promise<boolean> {
  await tx.query(
    `update account set last_seen_on = ($2::timestamptz at time zone 'Europe/Oslo')::date,
       inactive_asked_at = null, inactive_warned_at = null
     where id = $1 and state <> 'deleted'
       and last_seen_on < ($2::timestamptz at time zone 'Europe/Oslo')::date`,
    [accountId, usedAt],
  );
  const { rowCount } = await tx.query(
    `select from account where id = $2 and ${IS_DUE} for update of account`,
    [at, accountId],
  );
  return rowCount === 1;
}
