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
import { emit } from '#events/outbox.ts';
import { tryEach } from '#lifecycle/try-each.ts';
import { issueMissingReceipts } from '#payments/books/receipt.ts';
import { closePayment } from '#payments/close-payment.ts';
import type { Payment, PaymentDeps } from '#payments/payment.ts';
import { comparePayments, storeMissedEvents } from './compare-payments.ts';
import { readBalance } from './read-balance.ts';

/** A comparison of our books with Stripe's. */
export interface Reconciliation {
  id: string;
  /** An administrator's address, or `operator`; null for the schedule. */
  requested_by: string | null;
  /** Compares all payments created since then; null: only finds missed events. */
  since: Date | null;
  state: 'waiting' | 'running' | 'done';
  events_missed: number;
  payments_checked: number;
  payments_changed: number;
  /** Payments at Stripe that name a payment of ours and are not in our books. */
  unknown_intents: string[];
  created_at: Date;
  done_at: Date | null;
}

interface ReconciliationRequest {
  requestedBy: string | null;
  /** Compares all payments, refunds and disputes created since then; null: only finds missed events. */
  since: Date | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_DAYS_BACK = 90;

/**
 * Requests a comparison with Stripe for an administrator.
 *
 * @param since compares all payments created since then; null: only finds missed events
 * @throws AppError `validation_failed` for a date in the future, or more than 90 days back
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

/** Requests a comparison from a worker. */
export async function requestReconciliation(
  tx: Transaction,
  request: ReconciliationRequest,
): Promise<Reconciliation> {
  const reconciliation = await openReconciliation(tx, request);
  await emit(tx, 'reconciliation.requested', { reconciliation_id: reconciliation.id });
  return reconciliation;
}

/** Inserts a comparison that the caller runs. */
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
 * Compares our books with Stripe's and corrects ours, and reads Stripe's balance. Cancels open payments that
 * were not paid within a day. Every part is idempotent, so it may run twice, even concurrently.
 *
 * @returns null when there is nothing left to do (see `startReconciliation`)
 * @throws AppError those of `storeMissedEvents` and `comparePayments`; at the end, the error of a payment
 *   that could not be cancelled. Retry later.
 */
export async function reconcile(deps: PaymentDeps, id: string): Promise<Reconciliation | null> {
  const { db } = deps;
  const run = await startReconciliation(db, id);
  if (!run) return null;
  const missed = await storeMissedEvents(deps);
  const compared = run.since ? await comparePayments(deps, run.since) : null;
  const { rows } = await db.query<Reconciliation>(
    // A run that failed after this statement is repeated, and then finds nothing any more.
    `update reconciliation set state = 'done', done_at = clock_timestamp(),
       events_missed = events_missed + $2, payments_checked = $3,
       payments_changed = payments_changed + $4, unknown_intents = $5
     where id = $1 returning *`,
    [id, missed, compared?.checked ?? 0, compared?.changed ?? 0, compared?.unknownIntents ?? []],
  );
  await forgetEmpty(db);
  if (run.since) await issueMissingReceipts(db);
  // Last, so that a payment that cannot be cancelled delays nothing above. Neither stops the other.
  await tryEach<() => Promise<unknown>>(
    [() => readBalance(deps), () => closeAbandoned(deps)],
    (part) => part(),
  );
  return rows[0] ?? null;
}

/**
 * Starts a comparison, unless it was pruned, or the schedule has requested a newer one: the requests of
 * each minute must not pile up while Stripe is down. The older one is deleted, or it would wait for ever.
 */
async function startReconciliation(db: Database, id: string): Promise<Reconciliation | undefined> {
  const { rows } = await db.query<Reconciliation>(
    `with superseded as (
       select from reconciliation
       where id = $1 and requested_by is null and since is null and exists (
         select from reconciliation newer
         where newer.requested_by is null and newer.since is null
           and newer.created_at > reconciliation.created_at)),
     deleted as (
       delete from reconciliation
       where id = $1 and state <> 'done' and exists (select from superseded))
     update reconciliation set state = 'running'
     where id = $1 and not exists (select from superseded)
     returning *`,
    [id],
  );
  return rows[0];
}

/** Deletes comparisons of the schedule that found nothing, after a day. */
async function forgetEmpty(db: Database): Promise<void> {
  await db.query(
    `delete from reconciliation
     where requested_by is null and events_missed = 0 and payments_changed = 0
       and cardinality(unknown_intents) = 0 and created_at < clock_timestamp() - interval '1 day'`,
  );
}

/** Payments cancelled per run; the next run continues. */
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

/** How many payments need an administrator's attention, by reason. */
export type AttentionCounts = Partial<Record<Attention, number>>;

export async function countAttention(db: Queryable): Promise<AttentionCounts> {
  const { rows } = await db.query<{ attention: Attention; payments: number }>(
    `select attention, count(*)::int as payments from payment
     where attention is not null group by attention order by attention`,
  );
  return Object.fromEntries(rows.map(({ attention, payments }) => [attention, payments]));
}

/** Intents that comparisons of the last days found paid at Stripe and that our books still lack. */
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
 * Seconds since a worker last read Stripe's events, and since one last compared the payments one by
 * one; null for never.
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
  /** When the webhook last received an event; null for never. */
  lastHeardAt: Date | null;
  /** When a payment was last settled; null for never. */
  lastSettledAt: Date | null;
  /** Events of the last day that the webhook received, and that only the reconciliation found. */
  heard: number;
  missed: number;
}

/** Reads what the webhook received and what it missed. */
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
