import { AppError } from '#errors/app-error.ts';
import type { PaymentDeps } from './payment.ts';
import { stripeError } from './stripe-client.ts';
import { syncPayment } from './sync-payment.ts';

export interface Comparison {
  checked: number;
  changed: number;
  /** Paid intents with our mark that are not in our books: a database restored from a backup. */
  unknownIntents: string[];
}

/**
 * Brings every payment up to date that was made, refunded or disputed at Stripe since then.
 *
 * @throws AppError `payment_provider_failed`, `identity_provider_failed`
 */
export async function comparePayments(deps: PaymentDeps, since: Date): Promise<Comparison> {
  const intents = await intentsSince(deps, since);
  const comparison: Comparison = { checked: 0, changed: 0, unknownIntents: [] };
  for (const [intentId, paid] of intents) {
    comparison.checked += 1;
    const before = await revisionOf(deps, intentId);
    try {
      const { revision } = await syncPayment(deps, intentId);
      if (revision !== before) comparison.changed += 1;
    } catch (error) {
      const code = error instanceof AppError ? error.code : null;
      if (code === 'payment_not_found') {
        if (paid) comparison.unknownIntents.push(intentId);
      } else if (code !== 'email_refused') {
        throw error;
      }
    }
  }
  return comparison;
}

/** The intents that carry our mark and to which something happened, and whether each is paid. */
async function intentsSince(
  { stripe }: PaymentDeps,
  since: Date,
): Promise<ReadonlyMap<string, boolean>> {
  const query = { created: { gte: Math.floor(since.getTime() / 1000) }, limit: 100 };
  const found = new Map<string, boolean>();
  const note = (intent: unknown) => {
    if (typeof intent === 'string' && !found.has(intent)) found.set(intent, false);
  };
  try {
    for await (const { id, status, metadata } of stripe.paymentIntents.list(query)) {
      if (metadata.payment_id) found.set(id, status === 'succeeded');
    }
    for await (const { payment_intent: intent } of stripe.refunds.list(query)) note(intent);
    for await (const { payment_intent: intent } of stripe.disputes.list(query)) note(intent);
  } catch (error) {
    throw stripeError(error);
  }
  return found;
}

async function revisionOf({ db }: PaymentDeps, intentId: string): Promise<number | null> {
  const { rows } = await db.query<{ revision: number }>(
    'select revision from payment where payment_intent_id = $1',
    [intentId],
  );
  return rows[0]?.revision ?? null;
}
