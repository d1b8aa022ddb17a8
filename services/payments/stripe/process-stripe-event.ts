import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import type { ErrorCode } from '#errors/error-messages.ts';
import { closeDeclinedPayment } from '#payments/close-declined-payment.ts';
import { webhookDelay } from '#counters/counters.ts';
import { mailPasswordLink } from '#payments/mail-password-link.ts';
import type { Payment, PaymentDeps } from '#payments/payment.ts';
import { syncPayment } from '#payments/sync-payment.ts';

export type ProcessOutcome = 'done' | 'ignored' | { retryInMs: number };

/**
 * Acts on an event that Stripe sent, or that it could not deliver and that was found later. Only the
 * payment's id is taken from it: its state is read from Stripe, so that order and repetition do not
 * matter.
 *
 * A learner who registers is normally back from paying within seconds and confirms by themselves,
 * with the password that only they know. So a registration is left to them for `graceMs`; after
 * that the account is made without a password, and the identity provider mails a link to choose one.
 */
export async function processStripeEvent(
  deps: PaymentDeps,
  stripeEventId: string,
  graceMs: number,
): Promise<ProcessOutcome> {
  const event = await findEvent(deps.db, stripeEventId);
  if (!event) return 'ignored';
  const leftMs = Math.ceil(graceMs - event.age_ms);
  const outcome = await sync(deps, event, leftMs);
  if (typeof outcome !== 'string') return outcome;
  const delay = await markProcessed(deps.db, stripeEventId, graceMs / 1000);
  if (delay !== null) webhookDelay.observe({ stage: 'processed' }, delay);
  return outcome;
}

async function sync(
  deps: PaymentDeps,
  { type, payment_intent_id: intentId }: StripeEventRow,
  leftMs: number,
): Promise<ProcessOutcome> {
  if (!intentId) return 'ignored';
  try {
    const payment = await syncPayment(deps, intentId, { leaveRegistration: leftMs > 0 });
    if (isWaitingForLearner(payment) && leftMs > 0) return { retryInMs: leftMs };
    if (type === 'payment_intent.succeeded') await mailPasswordLink(deps, payment);
    await closeDeclinedPayment(deps, payment);
    return 'done';
  } catch (error) {
    if (error instanceof AppError && NOTHING_TO_DO.has(error.code)) return 'ignored';
    throw error;
  }
}

const NOTHING_TO_DO: ReadonlySet<ErrorCode> = new Set([
  // An intent of something else that the same Stripe account sells.
  'payment_not_found',
  // Noted for the administrator.
  'email_refused',
]);

/** Also one that is disputed or paid back already: it becomes an account all the same. */
function isWaitingForLearner({ purpose, state, intent_status, attention }: Payment): boolean {
  const isStuck = attention === 'mismatch' || attention === 'email_refused';
  const isPaid = intent_status === 'succeeded' && !isStuck;
  return purpose === 'registration' && state !== 'settled' && isPaid;
}

interface StripeEventRow {
  type: string;
  payment_intent_id: string | null;
  age_ms: number;
}

async function findEvent(db: Queryable, id: string): Promise<StripeEventRow | null> {
  const { rows } = await db.query<StripeEventRow>(
    `select type, coalesce(payment_intent_id, case when object_id like 'pi\\_%' then object_id end)
         as payment_intent_id,
       extract(epoch from clock_timestamp() - received_at)::float8 * 1000 as age_ms
     from stripe_event where id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

interface ProcessedRow {
  seconds: number;
  is_first: boolean;
  is_registration: boolean;
}

/**
 * @returns the seconds it took, less those for which a registration was left to its learner; null when
 *   it was processed before, or came by the reconciliation
 */
async function markProcessed(db: Queryable, id: string, graceS: number): Promise<number | null> {
  const { rows } = await db.query<ProcessedRow>(
    `update stripe_event event set processed_at = clock_timestamp()
     from stripe_event before
     where event.id = $1 and before.id = event.id
     returning extract(epoch from clock_timestamp() - event.received_at)::float8 as seconds,
       before.processed_at is null and event.source = 'webhook' as is_first,
       exists (select from payment where purpose = 'registration'
               and payment_intent_id in (event.payment_intent_id, event.object_id))
         as is_registration`,
    [id],
  );
  const [row] = rows;
  if (!row?.is_first) return null;
  return row.is_registration && row.seconds > graceS ? row.seconds - graceS : row.seconds;
}
