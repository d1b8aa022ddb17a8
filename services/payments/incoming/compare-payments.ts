import type Stripe from 'stripe';
import type { Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { type Database, type Queryable, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { tryEach } from '#lifecycle/try-each.ts';
import { refundStateOf } from '#payments/books/record-stripe-state.ts';
import { syncPayment } from '#payments/books/sync-payment.ts';
import { findPayment, findPaymentByIntent, type PaymentDeps } from '#payments/payment.ts';
import { paymentIdOf, stripeError } from '#payments/provider/stripe.ts';
import { storeStripeEvent, requestFirstPassword, STRIPE_EVENT_TYPES } from './stripe-events.ts';

interface Comparison {
  /** Payments, refunds and disputes that were compared. */
  checked: number;
  changed: number;
  /** Paid intents that name a payment of ours and are not in our books, as after restoring a backup. */
  unknownIntents: string[];
}

/**
 * Compares every payment, refund and dispute created at Stripe since a time with our books, and updates
 * the payments that differ. A payment that fails does not stop the others.
 *
 * @throws AppError `payment_provider_failed`, `identity_provider_failed`
 */
export async function comparePayments(deps: PaymentDeps, since: Date): Promise<Comparison> {
  const listed = await listSince(deps, since);
  const paid = new Map(listed.intents.map(({ id, state }) => [id, state === 'succeeded']));
  const { intents, refunds, disputes } = listed;
  const checked = intents.length + refunds.length + disputes.length;
  const comparison: Comparison = { checked, changed: 0, unknownIntents: [] };
  await tryEach(await findDiffering(deps.db, listed), async (intentId) => {
    const outcome = await updatePayment(deps, intentId);
    if (outcome === 'changed') comparison.changed += 1;
    if (outcome === 'unknown' && paid.get(intentId)) comparison.unknownIntents.push(intentId);
  });
  return comparison;
}

interface Listed {
  id: string;
  intentId: string;
  /** Stripe's status for intents and disputes, our state for refunds. */
  state: string;
}

interface AtStripe {
  /** Those with a payment id of ours in their metadata. */
  intents: Listed[];
  refunds: Listed[];
  disputes: Listed[];
}

async function listSince({ stripe }: PaymentDeps, since: Date): Promise<AtStripe> {
  const query = { created: { gte: Math.floor(since.getTime() / 1000) }, limit: 100 };
  const listed: AtStripe = { intents: [], refunds: [], disputes: [] };
  try {
    for await (const intent of stripe.paymentIntents.list(query)) {
      const { id, status } = intent;
      if (paymentIdOf(intent)) listed.intents.push({ id, intentId: id, state: status });
    }
    for await (const { id, payment_intent, status } of stripe.refunds.list(query)) {
      if (typeof payment_intent !== 'string') continue;
      listed.refunds.push({ id, intentId: payment_intent, state: refundStateOf(status) });
    }
    for await (const { id, payment_intent, status } of stripe.disputes.list(query)) {
      if (typeof payment_intent !== 'string') continue;
      listed.disputes.push({ id, intentId: payment_intent, state: status });
    }
  } catch (error) {
    throw stripeError(error);
  }
  return listed;
}

/** The intents whose state differs in our books, or that our books lack. */
async function findDiffering(
  db: Queryable,
  { intents, refunds, disputes }: AtStripe,
): Promise<Set<string>> {
  const lists = [
    [
      intents,
      `left join payment on payment_intent_id = listed.id
       where intent_status is distinct from listed.state
         or (listed.state = 'succeeded' and payment.state <> 'settled')`,
    ],
    [
      refunds,
      `left join refund on stripe_refund_id = listed.id
       where refund.state is distinct from listed.state`,
    ],
    [
      disputes,
      `left join dispute on stripe_dispute_id = listed.id
       where status is distinct from listed.state`,
    ],
  ] as const;
  const intentIds = new Set<string>();
  for (const [list, condition] of lists) {
    const { rows } = await db.query<{ intent_id: string }>(
      `select listed.intent_id
       from unnest($1::text[], $2::text[], $3::text[]) as listed (id, intent_id, state) ${condition}`,
      [
        list.map(({ id }) => id),
        list.map(({ intentId }) => intentId),
        list.map(({ state }) => state),
      ],
    );
    for (const { intent_id } of rows) intentIds.add(intent_id);
  }
  return intentIds;
}

async function updatePayment(
  deps: PaymentDeps,
  intentId: string,
): Promise<'changed' | 'same' | 'unknown'> {
  const before = await findPaymentByIntent(deps.db, intentId);
  try {
    const payment = await syncPayment(deps, intentId);
    if (before?.state !== 'settled') await requestFirstPassword(deps, payment);
    return payment.revision === before?.revision ? 'same' : 'changed';
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    if (code === 'payment_not_found') return 'unknown';
    // Recorded for the administrator.
    if (code === 'email_refused') return 'same';
    throw error;
  }
}

/**
 * Stores every event of Stripe that our webhook has not received, as if it had been delivered, even
 * when Stripe regards it as delivered. Returns how many.
 *
 * @throws AppError `payment_provider_failed`
 */
export async function storeMissedEvents({ db, stripe }: PaymentDeps): Promise<number> {
  const from = await readMissedSince(db);
  let missed = 0;
  try {
    for await (const events of pagesOf(stripe.events, from)) {
      const unknown = await unknownOf(db, events);
      // The oldest first, in the order of delivery.
      for (const event of unknown.toReversed()) {
        if (await withTransaction(db, (tx) => storeStripeEvent(tx, event, 'reconciliation'))) {
          missed += 1;
        }
      }
    }
  } catch (error) {
    throw stripeError(error);
  }
  return missed;
}

// Stripe keeps events for thirty days: https://docs.stripe.com/api/events
const MAX_LOOKBACK = '29 days';
/** The previous run may have missed events that Stripe had not listed yet. */
const OVERLAP = '15 minutes';

/** The time since when events may be missing: the start of the last complete run. */
async function readMissedSince(db: Database): Promise<number> {
  const { rows } = await db.query<{ from: number }>(
    `select floor(extract(epoch from greatest(
       clock_timestamp() - interval '${MAX_LOOKBACK}',
       coalesce(max(created_at), '-infinity') - interval '${OVERLAP}')))::float8 as from
     from reconciliation where state = 'done'`,
  );
  return rows[0]!.from;
}

async function* pagesOf(
  events: PaymentDeps['stripe']['events'],
  from: number,
): AsyncGenerator<Stripe.Event[]> {
  const query = { types: [...STRIPE_EVENT_TYPES], created: { gte: from }, limit: 100 };
  let page = await events.list(query);
  for (;;) {
    yield page.data;
    const last = page.data.at(-1);
    if (!page.has_more || !last) return;
    page = await events.list({ ...query, starting_after: last.id });
  }
}

async function unknownOf(db: Database, events: Stripe.Event[]): Promise<Stripe.Event[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from stripe_event where id = any ($1)',
    [events.map(({ id }) => id)],
  );
  const known = new Set(rows.map(({ id }) => id));
  return events.filter(({ id }) => !known.has(id));
}

/**
 * Compares one payment with Stripe on request of an administrator.
 *
 * @throws AppError `payment_not_found` for one that is not ours or was never at Stripe,
 *   `payment_provider_failed`, `identity_provider_failed`
 */
export async function resyncPayment(
  deps: PaymentDeps,
  { paymentId, actor }: { paymentId: string; actor: Actor },
): Promise<void> {
  const payment = await findPayment(deps.db, paymentId);
  if (!payment?.payment_intent_id) throw new AppError('payment_not_found');
  // Recorded first, because `syncPayment` uses its own transactions.
  await withTransaction(deps.db, (tx) =>
    recordAction(tx, { actor, action: 'payment.synced', subject: paymentId }),
  );
  try {
    const synced = await syncPayment(deps, payment.payment_intent_id);
    if (payment.state !== 'settled') await requestFirstPassword(deps, synced);
  } catch (error) {
    // `syncPayment` has recorded it with the payment.
    if (!(error instanceof AppError) || error.code !== 'email_refused') throw error;
  }
}
