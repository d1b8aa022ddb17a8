import type { Queryable, Transaction } from '#database/pool.ts';
import { emit } from '#events/outbox.ts';

interface NewCredit {
  accountId: string;
  /** Days of service, of 24 hours each. */
  days: number;
  /** The payment that it comes from; null for a grant or a code. */
  paymentId: string | null;
  /** The grant that it belongs to, if any. */
  grantId?: string | null;
  /** The code that was redeemed for it, if any. */
  codeId?: string | null;
  /** The earliest start of a payment's days; by default at once. */
  beginsAt?: Date | null;
}

/** The period of service that a credit gives. */
export interface CreditPeriod {
  starts_at: Date;
  ends_at: Date;
}

/** A credit and its period of service, without the days that were taken back. */
export interface Credit extends CreditPeriod {
  payment_id: string | null;
  days: number;
  days_taken_back: number;
  /** Whether its days have not begun yet; `starts_at` is in the future. */
  is_waiting: boolean;
}

// A credit whose days have not begun does not count. Each other credit starts at the later of its own time
// and the running expiry. So the expiry after the last credit is the maximum, over all credits, of "its
// time plus its days and all days after it".
const EXPIRY = `
  select max(credited_at + days_from_here * interval '24 hours')
  from (
    select credited_at,
      sum(days - days_taken_back) over (order by credited_at desc, id desc) as days_from_here
    from credit where account_id = $1 and begins_at is null)`;

/**
 * Adds a credit to an account and recomputes its expiry from the whole ledger. The lock on the account
 * serializes its credits. Days that begin later are added to the service by `beginWaitingDays` when they are
 * due; the returned period is then the one that results if no other credit is added.
 */
export async function addCredit(tx: Transaction, credit: NewCredit): Promise<CreditPeriod> {
  await tx.query('select from account where id = $1 for update', [credit.accountId]);
  const { beginsAt = null } = credit;
  await tx.query(
    `insert into credit (account_id, payment_id, grant_id, code_id, reason, days, begins_at)
     values ($1, $2, $4, $6,
       case when $2::uuid is not null then 'payment'
         when $6::uuid is not null then 'code' else 'grant' end, $3, $5)`,
    [
      credit.accountId,
      credit.paymentId,
      credit.days,
      credit.grantId ?? null,
      beginsAt,
      credit.codeId ?? null,
    ],
  );
  if (beginsAt) {
    const credits = await readCredits(tx, credit.accountId);
    return credits.find(({ payment_id }) => payment_id === credit.paymentId)!;
  }
  const { rows } = await tx.query<CreditPeriod>(
    `update account set service_expires_at = (${EXPIRY}) where id = $1
     returning service_expires_at as ends_at,
       service_expires_at - $2 * interval '24 hours' as starts_at`,
    [credit.accountId, credit.days],
  );
  return rows[0]!;
}

/**
 * Sets how many of a payment's days are taken back, and recomputes the expiry. Does nothing for a payment
 * without a credit.
 */
export async function takeBackDays(
  tx: Transaction,
  { paymentId, days }: { paymentId: string; days: number },
): Promise<void> {
  const { rows } = await tx.query<{ account_id: string }>(
    `select account_id from credit where payment_id = $1 and days_taken_back <> $2`,
    [paymentId, days],
  );
  const accountId = rows[0]?.account_id;
  if (!accountId) return;
  await tx.query('select from account where id = $1 for update', [accountId]);
  await tx.query('update credit set days_taken_back = $2 where payment_id = $1', [paymentId, days]);
  await tx.query(`update account set service_expires_at = (${EXPIRY}) where id = $1`, [accountId]);
}

/** Keeps the days of payments and of their codes that are deleted, so that no learner's service changes. */
export async function detachPayments(tx: Transaction, paymentIds: string[]): Promise<void> {
  await tx.query(
    `update credit set payment_id = null, code_id = null, reason = 'grant'
     where payment_id = any ($1)
       or code_id in (select id from access_code where payment_id = any ($1))`,
    [paymentIds],
  );
}

const IS_DUE = 'begins_at <= clock_timestamp() and days > days_taken_back';

/**
 * Begins the days of credits that are due. They start now, so that no day is lost if the call is late. A
 * credit that was taken back as a whole keeps waiting; if it is given back, its days begin then.
 *
 * @param limit accounts in the batch, so that the transaction stays small; the next call continues
 * @returns the number of accounts
 */
export async function beginWaitingDays(tx: Transaction, limit: number): Promise<number> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from account
     where id in (select account_id from credit where ${IS_DUE} order by begins_at limit $1)
     order by id for update skip locked`,
    [limit],
  );
  for (const { id } of rows) {
    await tx.query(
      `update credit set credited_at = clock_timestamp(), begins_at = null
       where account_id = $1 and ${IS_DUE}`,
      [id],
    );
    await tx.query(`update account set service_expires_at = (${EXPIRY}) where id = $1`, [id]);
    await emit(tx, 'account.changed', { account_id: id });
  }
  return rows.length;
}

/** Days that an account has paid for and that begin later. */
export interface WaitingDays {
  begins_at: Date;
  days: number;
}

/** An account's days that begin later, in the order of their start. */
export async function readWaitingDays(db: Queryable, accountId: string): Promise<WaitingDays[]> {
  const credits = await readCredits(db, accountId);
  return credits
    .filter((credit) => credit.is_waiting && credit.days > credit.days_taken_back)
    .map(({ starts_at, days, days_taken_back }) => ({
      begins_at: starts_at,
      days: days - days_taken_back,
    }));
}

/** Whether an account has a credit, from a payment, a grant or a code, that was not taken back as a whole. */
export async function holdsCredit(db: Queryable, accountId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from credit where account_id = $1 and days > days_taken_back limit 1',
    [accountId],
  );
  return rowCount === 1;
}

/** Whether an account has a credit from a payment, also one that was taken back. */
export async function hasPaid(db: Queryable, accountId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from credit where account_id = $1 and payment_id is not null limit 1',
    [accountId],
  );
  return rowCount === 1;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** An account's credits in the order of their use, each with its current period. */
export async function readCredits(db: Queryable, accountId: string): Promise<Credit[]> {
  const credits = await readWithOrigin(db, accountId);
  return credits.map(({ reason: _reason, note: _note, credited_at: _at, ...credit }) => credit);
}

/** Where the days of a credit come from. */
type CreditReason = 'payment' | 'grant' | 'code';

interface CreditOrigin {
  reason: CreditReason;
  note: string | null;
  credited_at: Date;
}

async function readWithOrigin(
  db: Queryable,
  accountId: string,
): Promise<(Credit & CreditOrigin)[]> {
  const { rows } = await db.query<Omit<Credit, keyof CreditPeriod> & CreditOrigin & { at: Date }>(
    `select payment_id, credit.days, days_taken_back, begins_at is not null as is_waiting,
       coalesce(begins_at, credited_at) as at, reason, note, credited_at
     from credit left join service_grant on service_grant.id = grant_id
     where account_id = $1 order by at, credit.id`,
    [accountId],
  );
  let expiry = 0;
  return rows.map(({ at, ...credit }) => {
    const starts = Math.max(at.getTime(), expiry);
    expiry = starts + (credit.days - credit.days_taken_back) * DAY_MS;
    return { ...credit, starts_at: new Date(starts), ends_at: new Date(expiry) };
  });
}

/** A credit as it is shown to the learner and to support; times are ISO strings. */
export interface ExportedCredit {
  given_for: CreditReason;
  payment_id: string | null;
  note: string | null;
  given_at: string;
  days: number;
  days_taken_back: number;
  starts_at: string;
  ends_at: string;
}

/** The credits of an account in the order of their use, with what each was given for. */
export async function readAccess(db: Queryable, accountId: string): Promise<ExportedCredit[]> {
  const credits = await readWithOrigin(db, accountId);
  return credits.map(({ reason, credited_at, starts_at, ends_at, ...credit }) => ({
    given_for: reason,
    payment_id: credit.payment_id,
    note: credit.note,
    given_at: credited_at.toISOString(),
    days: credit.days,
    days_taken_back: credit.days_taken_back,
    starts_at: starts_at.toISOString(),
    ends_at: ends_at.toISOString(),
  }));
}

/** How many days before the end of the service a learner is notified. */
const NOTICE_DAYS = 3;

/**
 * Emits `service.ending` for accounts whose service ends soon: once for each end, and none while the service
 * is free. It works in batches, so that neither the transaction nor the outbox grows with the number of
 * learners. Locked accounts are skipped until the next call.
 *
 * @returns the number of accounts
 */
export async function findEndingServices(tx: Transaction, limit: number): Promise<number> {
  const { rowCount } = await tx.query(
    `with ending as (
       select account.id from account cross join settings
       where account.state = 'active' and settings.price_ore > 0
         and account.service_expires_at > clock_timestamp()
         and account.service_expires_at <= clock_timestamp() + make_interval(days => $2)
         and account.ending_mailed_for is distinct from account.service_expires_at
       order by account.service_expires_at limit $1
       for update of account skip locked
     ), marked as (
       update account set ending_mailed_for = service_expires_at
       from ending where account.id = ending.id
       returning account.id, account.service_expires_at
     )
     insert into outbox (name, payload)
     select 'service.ending', jsonb_build_object(
       'account_id', id,
       'expires_at', to_char(service_expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
     from marked`,
    [limit, NOTICE_DAYS],
  );
  return rowCount ?? 0;
}
