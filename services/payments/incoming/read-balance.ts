import Stripe from 'stripe';
import type { Database, Queryable } from '#database/pool.ts';
import type { PaymentDeps } from '#payments/payment.ts';
import { methodOf, stripeError } from '#payments/provider/stripe.ts';

/** A movement of money at Stripe that belongs to a payment of ours. Amounts in øre. */
interface Movement {
  id: string;
  intentId: string;
  source: string;
  category: string;
  amount: number;
  fee: number;
  /** Unix time in seconds. */
  created: number;
  /** Of charges only. */
  method: string | null;
}

// Stripe lists a transaction within seconds; the clocks may differ.
const OVERLAP = '15 minutes';

/**
 * Reads the transactions of Stripe's balance since the last time, and stores those of our payments: what the books are
 * compared with, and the fees. May run twice, even concurrently.
 *
 * @returns how many were new; null when the key may not read the balance
 * @throws AppError `payment_provider_failed`
 */
export async function readBalance({
  db,
  stripe,
}: Pick<PaymentDeps, 'db' | 'stripe'>): Promise<number | null> {
  const { rows } = await db.query<{ now: Date; from: number | null }>(
    `select clock_timestamp() as now, floor(extract(epoch from coalesce(
       (select read_at - interval '${OVERLAP}' from balance_reading),
       (select min(created_at) from payment))))::float8 as from`,
  );
  const { now, from } = rows[0]!;
  let stored = 0;
  try {
    if (from !== null) {
      for await (const page of pagesOf(stripe, from)) stored += await store(db, page);
    }
  } catch (error) {
    // A restricted key without this permission: payments work, only the fees are not known.
    if (error instanceof Stripe.errors.StripePermissionError) return null;
    throw stripeError(error);
  }
  await db.query(
    `insert into balance_reading (read_at) values ($1)
     on conflict (only_row) do update set read_at = greatest(balance_reading.read_at, $1)`,
    [now],
  );
  return stored;
}

async function* pagesOf(
  { balanceTransactions }: PaymentDeps['stripe'],
  from: number,
): AsyncGenerator<Movement[]> {
  const query = { created: { gte: from }, limit: 100, expand: ['data.source'] };
  let page = await balanceTransactions.list(query);
  for (;;) {
    yield page.data.flatMap(toMovement);
    const last = page.data.at(-1);
    if (!page.has_more || !last) return;
    page = await balanceTransactions.list({ ...query, starting_after: last.id });
  }
}

/** Leaves out payouts, Stripe's own fees and the like, which belong to no payment. */
function toMovement(transaction: Stripe.BalanceTransaction): Movement[] {
  const { id, amount, fee, created, reporting_category: category, source } = transaction;
  if (source === null || typeof source === 'string') return [];
  if (source.object !== 'charge' && source.object !== 'refund' && source.object !== 'dispute') {
    return [];
  }
  const intent = source.payment_intent;
  if (intent === null) return [];
  const intentId = typeof intent === 'string' ? intent : intent.id;
  const method = source.object === 'charge' ? methodOf(source) : null;
  return [{ id, intentId, source: source.id, category, amount, fee, created, method }];
}

async function store(db: Database, movements: readonly Movement[]): Promise<number> {
  if (movements.length === 0) return 0;
  const columns = [
    movements.map(({ id }) => id),
    movements.map(({ intentId }) => intentId),
    movements.map(({ source }) => source),
    movements.map(({ category }) => category),
    movements.map(({ amount }) => amount),
    movements.map(({ fee }) => fee),
    movements.map(({ created }) => created),
  ];
  // Of other sales of the same Stripe account we have no payment.
  const { rowCount } = await db.query(
    `insert into balance_transaction
       (id, payment_id, source, category, amount_ore, fee_ore, created_at)
     select read.id, payment.id, read.source, read.category, read.amount, read.fee,
       to_timestamp(read.created)
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::int[], $7::float8[])
       as read (id, intent_id, source, category, amount, fee, created)
     join payment on payment.payment_intent_id = read.intent_id
     on conflict (id) do nothing`,
    columns,
  );
  await storeMethods(db, movements);
  return rowCount ?? 0;
}

/** Of payments that the version before has settled. */
async function storeMethods(db: Queryable, movements: readonly Movement[]): Promise<void> {
  const charges = movements.filter(({ method }) => method !== null);
  await db.query(
    `update payment set method = read.method
     from unnest($1::text[], $2::text[]) as read (intent_id, method)
     where payment_intent_id = read.intent_id and payment.method is null`,
    [charges.map(({ intentId }) => intentId), charges.map(({ method }) => method)],
  );
}
