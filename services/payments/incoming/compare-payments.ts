import type Stripe from 'stripe';
import type { Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { type Database, type Queryable, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { tryEach } from '#errors/reason-of.ts';
import { refundStateOf } from '#payments/books/record-stripe-state.ts';
import { syncPayment } from '#payments/books/sync-payment.ts';
import { findPayment, findPaymentByIntent, type PaymentDeps } from '#payments/payment.ts';
import { paymentIdOf, stripeError } from '#payments/provider/stripe.ts';
import { keepStripeEvent, mailPasswordLink, STRIPE_EVENT_TYPES } from './stripe-events.ts';

interface Comparison {
  /** Payments, refunds and disputes that were looked at. */
  checked: number;
  changed: number;
  /** Paid intents with our mark that are not in our books: a database restored from a backup. */
  unknownIntents: string[];
}

/**
 * Compares every payment, refund and dispute that was made at Stripe since then with our books, and
 * brings those payments up to date that differ. One that fails does not keep it from the others.
 *
 * @throws AppError `payment_provider_failed`, `identity_provider_failed`
 */
export async function comparePayments(deps: PaymentDeps, since: Date): Promise<Comparison> {
  const listed = await listSince(deps, since);
  const paid = new Map(listed.intents.map(({ id, state }) => [id, state === 'succeeded']));
  const { intents, refunds, disputes } = listed;
  const checked = intents.length + refunds.length + disputes.length;
  const comparison: Comparison = { checked, changed: 0, unknownIntents: [] };
  await tryEach(await differing(deps.db, listed), async (intentId) => {
    const outcome = await bringUpToDate(deps, intentId);
    if (outcome === 'changed') comparison.changed += 1;
    if (outcome === 'unknown' && paid.get(intentId)) comparison.unknownIntents.push(intentId);
  });
  return comparison;
}

interface Listed {
  id: string;
  intentId: string;
  /** In Stripe's words for intents and disputes, in ours for refunds. */
  state: string;
}

interface AtStripe {
  /** Those that carry our mark. */
  intents: Listed[];
  refunds: Listed[];
  disputes: Listed[];
}

async function listSince({ stripe }: PaymentDeps, since: Date): Promise<AtStripe> {
  const query = { created: { gte: Math.floor(since.getTime() / 1000) }, limit: 100 };
  const found: AtStripe = { intents: [], refunds: [], disputes: [] };
  try {
    for await (const intent of stripe.paymentIntents.list(query)) {
      const { id, status } = intent;
      if (paymentIdOf(intent)) found.intents.push({ id, intentId: id, state: status });
    }
    for await (const { id, payment_intent, status } of stripe.refunds.list(query)) {
      if (typeof payment_intent !== 'string') continue;
      found.refunds.push({ id, intentId: payment_intent, state: refundStateOf(status) });
    }
    for await (const { id, payment_intent, status } of stripe.disputes.list(query)) {
      if (typeof payment_intent !== 'string') continue;
      found.disputes.push({ id, intentId: payment_intent, state: status });
    }
  } catch (error) {
    throw stripeError(error);
  }
  return found;
}

/** The intents of which our books say something else, or nothing. */
async function differing(
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
  const found = new Set<string>();
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
    for (const { intent_id } of rows) found.add(intent_id);
  }
  return found;
}

async function bringUpToDate(
  deps: PaymentDeps,
  intentId: string,
): Promise<'changed' | 'same' | 'unknown'> {
  const before = await findPaymentByIntent(deps.db, intentId);
  try {
    const payment = await syncPayment(deps, intentId);
    if (before?.state !== 'settled') await mailPasswordLink(deps, payment);
    return payment.revision === before?.revision ? 'same' : 'changed';
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    if (code === 'payment_not_found') return 'unknown';
    // Noted for the administrator.
    if (code === 'email_refused') return 'same';
    throw error;
  }
}

/**
 * Keeps every event that Stripe has and that we were not told of, as if it had been delivered: also
 * those that Stripe takes for delivered. Returns how many.
 *
 * @throws AppError `payment_provider_failed`
 */
export async function keepMissedEvents({ db, stripe }: PaymentDeps): Promise<number> {
  const from = await readMissedSince(db);
  let missed = 0;
  try {
    for await (const events of pagesOf(stripe.events, from)) {
      const ours = await unknownOf(db, events);
      // The oldest first, as they would have come.
      for (const event of ours.toReversed()) {
        if (await withTransaction(db, (tx) => keepStripeEvent(tx, event, 'reconciliation'))) {
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
/** The reading before may have missed what Stripe had not listed yet. */
const OVERLAP = '15 minutes';

/** Since when events may be missing: the start of the last reading that came to its end. */
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
 * Compares one payment with Stripe now, because an administrator asked.
 *
 * @throws AppError `payment_not_found` for one that is not ours or that Stripe never heard of,
 *   `payment_provider_failed`, `identity_provider_failed`
 */
export async function resyncPayment(
  deps: PaymentDeps,
  { paymentId, actor }: { paymentId: string; actor: Actor },
): Promise<void> {
  const payment = await findPayment(deps.db, paymentId);
  if (!payment?.payment_intent_id) throw new AppError('payment_not_found');
  // First: what Stripe says is written in transactions of its own.
  await withTransaction(deps.db, (tx) =>
    recordAction(tx, { actor, action: 'payment.synced', subject: paymentId }),
  );
  try {
    const synced = await syncPayment(deps, payment.payment_intent_id);
    if (payment.state !== 'settled') await mailPasswordLink(deps, synced);
  } catch (error) {
    // Noted with the payment, which is what was asked for.
    if (!(error instanceof AppError) || error.code !== 'email_refused') throw error;
  }
}
