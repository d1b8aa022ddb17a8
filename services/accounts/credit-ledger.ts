import type { Transaction } from '#database/pool.ts';

export interface NewCredit {
  accountId: string;
  /** Days of service, of 24 hours each. */
  days: number;
  /** The payment that it is for; null for a grant. */
  paymentId: string | null;
}

// Each credit starts at the later of its own time and the running expiry, so the expiry after the
// last one is the greatest of "its time plus its days and all days after it".
const EXPIRY = `
  select max(credited_at + days_from_here * interval '24 hours')
  from (
    select credited_at, sum(days) over (order by credited_at desc, id desc) as days_from_here
    from credit where account_id = $1)`;

/**
 * Adds days to an account and computes its expiry anew from the whole ledger. Credits of one
 * account are added one after the other, by the database's clock.
 */
export async function addCredit(tx: Transaction, credit: NewCredit): Promise<void> {
  await tx.query('select from account where id = $1 for update', [credit.accountId]);
  await tx.query(
    `insert into credit (account_id, payment_id, reason, days)
     values ($1, $2, case when $2::uuid is null then 'grant' else 'payment' end, $3)`,
    [credit.accountId, credit.paymentId, credit.days],
  );
  await tx.query(`update account set service_expires_at = (${EXPIRY}) where id = $1`, [
    credit.accountId,
  ]);
}
