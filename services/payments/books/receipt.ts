import { type CreditPeriod, readCredits } from '#accounts/credit-ledger.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import type { Payment } from '#payments/payment.ts';
import { readSettings } from '#settings/settings.ts';

/** Norway's general rate: https://www.skatteetaten.no/satser/merverdiavgift/ */
const VAT_PERCENT = 25;

/** A receipt as issued. It never changes. */
export interface Receipt {
  number: number;
  payment_id: string;
  issued_at: Date;
  /** Øre, including VAT. */
  amount_ore: number;
  vat_ore: number;
  /** 0 when the seller was not registered for VAT. */
  vat_percent: number;
  service_days: number;
  period_start: Date;
  period_end: Date;
  seller_name: string | null;
  seller_organisation_number: string | null;
  seller_address: string | null;
}

/**
 * Issues the receipt of a payment. Receipt numbers have no gaps, so the lock on the counter serializes
 * settlements from here to their commit.
 */
export async function issueReceipt(
  tx: Transaction,
  { id, amount_ore, service_days }: Payment,
  period: CreditPeriod,
): Promise<void> {
  const seller = await readSettings(tx);
  const percent = seller.seller_vat_registered ? VAT_PERCENT : 0;
  await tx.query(
    `with counter as (
       update receipt_counter set last_number = last_number + 1 returning last_number)
     insert into receipt
       (number, payment_id, amount_ore, vat_ore, vat_percent, service_days, period_start,
        period_end, seller_name, seller_organisation_number, seller_address)
     select last_number, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 from counter`,
    [
      id,
      amount_ore,
      vatOf(amount_ore, percent),
      percent,
      service_days,
      period.starts_at,
      period.ends_at,
      seller.seller_name,
      seller.seller_organisation_number,
      seller.seller_address,
    ],
  );
}

/** The VAT included in an amount, in whole øre. */
function vatOf(amountOre: number, percent: number): number {
  return Math.round((amountOre * percent) / (100 + percent));
}

/** Receipts issued per run; the next run continues. */
const MAX_ISSUED_PER_RUN = 100;

/**
 * Issues receipts for payments that were settled by a version without receipts, which may run beside
 * this one during a deployment. The oldest payment gets the first number.
 */
export async function issueMissingReceipts(db: Database): Promise<void> {
  const { rows } = await db.query<Payment>(
    `select payment.* from payment left join receipt on receipt.payment_id = payment.id
     where payment.state = 'settled' and receipt.payment_id is null
     order by payment.settled_at limit ${MAX_ISSUED_PER_RUN}`,
  );
  for (const payment of rows) {
    await withTransaction(db, async (tx) => {
      await tx.query('select from payment where id = $1 for update', [payment.id]);
      if (await findReceipt(tx, payment.id)) return;
      const credits = await readCredits(tx, payment.account_id!);
      const credit = credits.find(({ payment_id }) => payment_id === payment.id);
      if (credit) await issueReceipt(tx, payment, credit);
    });
  }
}

/** The receipt of a payment; null when it is not settled, or was settled before receipts existed. */
export async function findReceipt(db: Queryable, paymentId: string): Promise<Receipt | null> {
  const { rows } = await db.query<Receipt>('select * from receipt where payment_id = $1', [
    paymentId,
  ]);
  return rows[0] ?? null;
}
