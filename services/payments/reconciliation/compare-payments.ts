import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { tryEach } from '#errors/try-each.ts';
import { mailPasswordLink } from '#payments/mail-password-link.ts';
import { findPaymentByIntent, type PaymentDeps } from '#payments/payment.ts';
import { markOf } from '#payments/payment-intent.ts';
import { refundStateOf } from '#payments/refunds/reversals.ts';
import { stripeError } from '#payments/stripe/stripe-client.ts';
import { syncPayment } from '#payments/sync-payment.ts';

export interface Comparison {
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
      if (markOf(intent)) found.intents.push({ id, intentId: id, state: status });
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
