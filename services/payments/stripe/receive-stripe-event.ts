import Stripe from 'stripe';
import { withTransaction, type Database } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { webhookDelay } from '#counters/counters.ts';
import { isStripeEvent, keepStripeEvent } from './stripe-events.ts';

/** Seconds that a signature may be old, or lie ahead. */
const TOLERANCE_S = 300;

/**
 * Takes in what Stripe posts: checks the signature over the raw body, stores the event once together
 * with its outbox row, and no more. A worker does the rest.
 *
 * @param secrets one, or two while a secret is being replaced
 * @throws AppError `signature_invalid`; `validation_failed` for what is signed and no event
 */
export async function receiveStripeEvent(
  db: Database,
  rawBody: Buffer,
  signature: string,
  secrets: readonly string[],
): Promise<void> {
  const event: unknown = verify(rawBody, signature, secrets);
  if (!isStripeEvent(event)) {
    throw new AppError('validation_failed', { details: { reason: 'not_an_event' } });
  }
  const isNew = await withTransaction(db, (tx) => keepStripeEvent(tx, event, 'webhook'));
  if (!isNew) return;
  const seconds = Math.max(0, Date.now() / 1000 - Number(event.created));
  // A figure is no reason to have Stripe send again what is kept.
  if (Number.isFinite(seconds)) webhookDelay.observe({ stage: 'stored' }, seconds);
}

function verify(rawBody: Buffer, signature: string, secrets: readonly string[]): unknown {
  // Stripe's library refuses a signature that is too old but takes one from the future.
  const ahead = timestampOf(signature) - Date.now() / 1000;
  if (!(ahead <= TOLERANCE_S)) throw new AppError('signature_invalid');
  for (const secret of secrets) {
    try {
      return Stripe.webhooks.constructEvent(rawBody, signature, secret, TOLERANCE_S);
    } catch {
      // The other secret may fit.
    }
  }
  throw new AppError('signature_invalid');
}

/** Read as Stripe's library reads it, which signs with the last `t` of several; NaN for none. */
function timestampOf(signature: string): number {
  const times = signature
    .split(',')
    .map((item) => item.split('='))
    .filter(([name]) => name === 't');
  return Number.parseInt(times.at(-1)?.[1] ?? '', 10);
}
