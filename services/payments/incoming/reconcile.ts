import type { Attention } from '@proveklar/contract/admin-payments.ts';
import { type Actor, nameOf } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { tryEach } from '#errors/reason-of.ts';
import { emit } from '#events/outbox.ts';
import { issueMissingReceipts } from '#payments/books/receipt.ts';
import { closePayment } from '#payments/close-payment.ts';
import type { Payment, PaymentDeps } from '#payments/payment.ts';
import { comparePayments, keepMissedEvents } from './compare-payments.ts';

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

interface ReconciliationRequest {
  requestedBy: string | null;
  /**
   * Compare all payments, refunds and disputes made since then; null for what Stripe says has happened
   * and nobody told us.
   */
  since: Date | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_DAYS_BACK = 90;

/**
 * Asks for a comparison with Stripe, for an administrator.
 *
 * @param since compare all payments since then; null: look for missed events only
 * @throws AppError `validation_failed` for a date to come, or more than 90 days back
 */
export async function orderReconciliation(
  db: Database,
  { since, actor }: { since: Date | null; actor: Actor },
): Promise<Reconciliation> {
  const age = since ? (Date.now() - since.getTime()) / DAY_MS : 0;
  if (age < 0 || age > MAX_DAYS_BACK + 1) {
    throw new AppError('validation_failed', {
      message: `since must be a date of the last ${MAX_DAYS_BACK} days`,
      details: { field: 'since', part: 'body' },
    });
  }
  return withTransaction(db, async (tx) => {
    const run = await requestReconciliation(tx, { requestedBy: nameOf(actor), since });
    await recordAction(tx, {
      actor,
      action: 'payment.reconciliation_requested',
      subject: run.id,
      details: { since: since?.toISOString().slice(0, 10) ?? null },
    });
    return run;
  });
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

/** Payments cancelled in one run; the next run goes on. */
const MAX_ABANDONED = 100;

async function closeAbandoned(deps: PaymentDeps): Promise<void> {
  const { rows } = await deps.db.query<Payment>(
    `select * from payment
     where state = 'open' and created_at < clock_timestamp() - interval '24 hours'
       and outcome in ('open', 'requires_action', 'paid_unsettled') and attention is null
     order by created_at limit ${MAX_ABANDONED}`,
  );
  await tryEach(rows, (payment) => closePayment(deps, payment, 'abandoned'));
}

/** How many payments a person must look at, by the reason. */
export type AttentionCounts = Partial<Record<Attention, number>>;

export async function countAttention(db: Queryable): Promise<AttentionCounts> {
  const { rows } = await db.query<{ attention: Attention; payments: number }>(
    `select attention, count(*)::int as payments from payment
     where attention is not null group by attention order by attention`,
  );
  return Object.fromEntries(rows.map(({ attention, payments }) => [attention, payments]));
}

/** Intents that comparisons of so many days found paid at Stripe, and that are still not in our books. */
export async function findUnknownIntents(db: Queryable, days: number): Promise<string[]> {
  const { rows } = await db.query<{ intent: string }>(
    `select distinct intent from reconciliation, unnest(unknown_intents) as intent
     where reconciliation.created_at > clock_timestamp() - make_interval(days => $1)
       and not exists (select from payment where payment_intent_id = intent)
     order by intent`,
    [days],
  );
  return rows.map(({ intent }) => intent);
}

/**
 * Seconds since a worker last read from Stripe what has happened, and since one last compared the
 * payments one by one; null when none ever did.
 */
export async function readReconciled(
  db: Queryable,
): Promise<{ missedSeconds: number | null; comparedSeconds: number | null }> {
  const { rows } = await db.query<{ missed: number | null; compared: number | null }>(
    `select extract(epoch from clock_timestamp() - max(done_at))::float8 as missed,
       extract(epoch from clock_timestamp()
         - max(done_at) filter (where since is not null))::float8 as compared
     from reconciliation where state = 'done'`,
  );
  return { missedSeconds: rows[0]!.missed, comparedSeconds: rows[0]!.compared };
}

export interface WebhookHistory {
  /** When the webhook last told us something; null for never. */
  lastHeardAt: Date | null;
  /** When a payment was last settled; null for never. */
  lastSettledAt: Date | null;
  /** Of the events of the last day, how many the webhook told us of, and how many only we found. */
  heard: number;
  missed: number;
}

/** What came by the webhook, and what should have. */
export async function readWebhookHistory(db: Queryable): Promise<WebhookHistory> {
  const { rows } = await db.query<WebhookHistory>(
    `select
       (select max(received_at) from stripe_event where source = 'webhook') as "lastHeardAt",
       (select max(settled_at) from payment where payment_intent_id is not null) as "lastSettledAt",
       count(*) filter (where source = 'webhook')::int as heard,
       count(*) filter (where source = 'reconciliation')::int as missed
     from stripe_event where received_at > clock_timestamp() - interval '1 day'`,
  );
  return rows[0]!;
}
