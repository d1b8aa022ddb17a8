import { withTransaction, type Database, type Transaction } from '#database/pool.ts';
import { tryEach } from '#errors/try-each.ts';
import { emit } from '#events/emit.ts';
import { closePayment } from '#payments/close-payment.ts';
import { comparePayments } from './compare-payments.ts';
import { keepMissedEvents } from './missed-events.ts';
import type { Payment, PaymentDeps } from '#payments/payment.ts';
import { issueMissingReceipts } from '#payments/receipts/receipt.ts';

/** A comparison of our books with Stripe's. */
export interface Reconciliation {
  id: string;
  /** An address, or `operator`; null for the schedule. */
  requested_by: string | null;
  /** Payments since then are compared one by one; null: only missed events are looked for. */
  since: Date | null;
  state: 'waiting' | 'running' | 'done';
  events_missed: number;
  payments_checked: number;
  payments_changed: number;
  /** Payments at Stripe that carry our mark and are not in our books. */
  unknown_intents: string[];
  created_at: Date;
  done_at: Date | null;
}

export interface ReconciliationRequest {
  requestedBy: string | null;
  /**
   * Compare all payments, refunds and disputes made since then; null for what Stripe says has happened
   * and nobody told us.
   */
  since: Date | null;
}

/** Asks for a comparison; a worker makes it. */
export async function requestReconciliation(
  tx: Transaction,
  request: ReconciliationRequest,
): Promise<Reconciliation> {
  const reconciliation = await openReconciliation(tx, request);
  await emit(tx, 'reconciliation.requested', { reconciliation_id: reconciliation.id });
  return reconciliation;
}

/** Notes a comparison that whoever calls this makes. */
export async function openReconciliation(
  tx: Transaction,
  { requestedBy, since }: ReconciliationRequest,
): Promise<Reconciliation> {
  const { rows } = await tx.query<Reconciliation>(
    'insert into reconciliation (requested_by, since) values ($1, $2) returning *',
    [requestedBy, since],
  );
  return rows[0]!;
}

/** A comparison by its id. */
export async function findReconciliation(db: Database, id: string): Promise<Reconciliation | null> {
  const { rows } = await db.query<Reconciliation>('select * from reconciliation where id = $1', [
    id,
  ]);
  return rows[0] ?? null;
}

/**
 * Compares our books with Stripe's and mends ours. Safe to run twice, also at the same time: each
 * part is idempotent. Ends open payments that nobody paid within a day.
 *
 * @returns null when there is nothing to do any more (see `begin`)
 * @throws AppError those of `keepMissedEvents` and `comparePayments`; what failed for a payment that
 *   is to be ended, after all else was done: try again
 */
export async function reconcile(deps: PaymentDeps, id: string): Promise<Reconciliation | null> {
  const { db } = deps;
  const asked = await begin(db, id);
  if (!asked) return null;
  const missed = await keepMissedEvents(deps);
  const compared = asked.since ? await comparePayments(deps, asked.since) : null;
  const { rows } = await db.query<Reconciliation>(
    `update reconciliation set state = 'done', done_at = clock_timestamp(), events_missed = $2,
       payments_checked = $3, payments_changed = $4, unknown_intents = $5
     where id = $1 returning *`,
    [id, missed, compared?.checked ?? 0, compared?.changed ?? 0, compared?.unknownIntents ?? []],
  );
  await withTransaction(db, prune);
  if (asked.since) await issueMissingReceipts(db);
  // Last: nothing above is to wait for a payment that cannot be ended.
  await closeAbandoned(deps);
  return rows[0] ?? null;
}

/**
 * Takes up a comparison, unless it was forgotten, or the schedule has asked for the same anew: while
 * Stripe is away, what is asked each minute is not to pile up.
 */
async function begin(db: Database, id: string): Promise<Reconciliation | undefined> {
  const { rows } = await db.query<Reconciliation>(
    `update reconciliation set state = 'running'
     where id = $1 and not (requested_by is null and since is null and exists (
       select from reconciliation newer
       where newer.requested_by is null and newer.since is null
         and newer.created_at > reconciliation.created_at))
     returning *`,
    [id],
  );
  return rows[0];
}

/** Payments cancelled in one run; the next run goes on. */
const MOST_ABANDONED = 100;

async function closeAbandoned(deps: PaymentDeps): Promise<void> {
  const { rows } = await deps.db.query<Payment>(
    `select * from payment
     where state = 'open' and created_at < clock_timestamp() - interval '24 hours'
       and outcome in ('open', 'requires_action', 'paid_unsettled') and attention is null
     order by created_at limit ${MOST_ABANDONED}`,
  );
  await tryEach(rows, (payment) => closePayment(deps, payment, 'abandoned'));
}

/** What found nothing is of no use after a day, and who begun a payment where is nobody's business. */
async function prune(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from reconciliation
     where requested_by is null and events_missed = 0 and payments_changed = 0
       and cardinality(unknown_intents) = 0 and created_at < clock_timestamp() - interval '1 day'`,
  );
  await tx.query(
    `update payment set client_address = null
     where client_address is not null and created_at < clock_timestamp() - interval '1 day'`,
  );
  await tx.query(
    `delete from free_registration where created_at < clock_timestamp() - interval '1 day'`,
  );
}
