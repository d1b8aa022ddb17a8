import type { Queryable, Transaction } from '#database/pool.ts';

export interface NewCredit {
  accountId: string;
  /** Days of service, of 24 hours each. */
  days: number;
  /** The payment that it is for; null for a grant. */
  paymentId: string | null;
  /** The grant that it is part of, if any. */
  grantId?: string | null;
}

/** From when to when a credit gives service. */
export interface CreditPeriod {
  starts_at: Date;
  ends_at: Date;
}

/** A credit and the service that it gives, after what was taken back. */
export interface Credit extends CreditPeriod {
  payment_id: string | null;
  days: number;
  days_taken_back: number;
}

// Each credit starts at the later of its own time and the running expiry, so the expiry after the
// last one is the greatest of "its time plus its days and all days after it".
const EXPIRY = `
  select max(credited_at + days_from_here * interval '24 hours')
  from (
    select credited_at,
      sum(days - days_taken_back) over (order by credited_at desc, id desc) as days_from_here
    from credit where account_id = $1)`;

/**
 * Adds days to an account and computes its expiry anew from the whole ledger. Credits of one
 * account are added one after the other, by the database's clock.
 */
export async function addCredit(tx: Transaction, credit: NewCredit): Promise<CreditPeriod> {
  await tx.query('select from account where id = $1 for update', [credit.accountId]);
  await tx.query(
    `insert into credit (account_id, payment_id, grant_id, reason, days)
     values ($1, $2, $4, case when $2::uuid is null then 'grant' else 'payment' end, $3)`,
    [credit.accountId, credit.paymentId, credit.days, credit.grantId ?? null],
  );
  const { rows } = await tx.query<CreditPeriod>(
    `update account set service_expires_at = (${EXPIRY}) where id = $1
     returning service_expires_at as ends_at,
       service_expires_at - $2 * interval '24 hours' as starts_at`,
    [credit.accountId, credit.days],
  );
  return rows[0]!;
}

/**
 * Sets how many of a payment's days are taken back, and computes the expiry anew. Does nothing for a
 * payment that gave none.
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

/** Whether an account was given days, by a payment or a grant, that were not all taken back. */
export async function holdsCredit(db: Queryable, accountId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from credit where account_id = $1 and days > days_taken_back limit 1',
    [accountId],
  );
  return rowCount === 1;
}

/** An account's credits in the order in which they are used up, each with its period as it is now. */
export async function readCredits(db: Queryable, accountId: string): Promise<Credit[]> {
  const { rows } = await db.query<Omit<Credit, keyof CreditPeriod> & { credited_at: Date }>(
    `select payment_id, days, days_taken_back, credited_at from credit
     where account_id = $1 order by credited_at, id`,
    [accountId],
  );
  let running = 0;
  return rows.map(({ credited_at, ...credit }) => {
    const starts = Math.max(credited_at.getTime(), running);
    running = starts + (credit.days - credit.days_taken_back) * DAY_MS;
    return { ...credit, starts_at: new Date(starts), ends_at: new Date(running) };
  });
}

const DAY_MS = 24 * 60 * 60 * 1000;
