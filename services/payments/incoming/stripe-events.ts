import Stripe from 'stripe';
import { type Static, Type } from 'typebox';
import Value from 'typebox/value';
import { languageOfUser } from '#accounts/account.ts';
import { requestPasswordLink } from '#accounts/password-links.ts';
import { webhookDelay } from '#counters/counters.ts';
import { isStorable } from '#database/is-storable.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import type { IdentityUser } from '#identity/identity-provider.ts';
import { isPermanentError, syncPayment } from '#payments/books/sync-payment.ts';
import { closeDeclinedPayment } from '#payments/close-payment.ts';
import { findPayment, type Payment, type PaymentDeps } from '#payments/payment.ts';

/** How old a signature may be, or how far in the future. */
const TOLERANCE_S = 300;

/** The event types that the webhook subscribes to. Each may require a change of our books. */
export const STRIPE_EVENT_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.canceled',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const satisfies Stripe.Event.Type[];

/**
 * Receives a webhook event: verifies the signature over the raw body and stores the event once,
 * together with its outbox row. A worker does the rest.
 *
 * @param secrets one, or two during a rotation
 * @throws AppError `signature_invalid`; `validation_failed` for a signed body that is no event
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
  const isNew = await withTransaction(db, (tx) => storeStripeEvent(tx, event, 'webhook'));
  if (!isNew) return;
  const seconds = Math.max(0, Date.now() / 1000 - Number(event.created));
  // A missing metric must not make Stripe send the stored event again.
  if (Number.isFinite(seconds)) webhookDelay.observe({ stage: 'stored' }, seconds);
}

function verify(rawBody: Buffer, signature: string, secrets: readonly string[]): unknown {
  // Stripe's library rejects an old signature but accepts one from the future.
  const ahead = timestampOf(signature) - Date.now() / 1000;
  if (!(ahead <= TOLERANCE_S)) throw new AppError('signature_invalid');
  for (const secret of secrets) {
    try {
      return Stripe.webhooks.constructEvent(rawBody, signature, secret, TOLERANCE_S);
    } catch {
      // The other secret may match.
    }
  }
  throw new AppError('signature_invalid');
}

/** Parsed as by Stripe's library, which uses the last `t` of several; NaN when there is none. */
function timestampOf(signature: string): number {
  const times = signature
    .split(',')
    .map((item) => item.split('='))
    .filter(([name]) => name === 't');
  return Number.parseInt(times.at(-1)?.[1] ?? '', 10);
}

/** Stripe promises ids of at most 255 characters: https://docs.stripe.com/upgrades#what-changes */
const Name = Type.Refine(Type.String({ minLength: 1, maxLength: 255 }), isStorable);

/** The fields of an event that we read. */
const StripeEvent = Type.Object({
  id: Name,
  type: Name,
  created: Type.Optional(Type.Unknown()),
  data: Type.Object({
    object: Type.Object({
      /** Some objects have none, such as a balance. */
      id: Type.Optional(Name),
      object: Type.Optional(Type.String()),
      payment_intent: Type.Optional(Type.Unknown()),
    }),
  }),
});
type StripeEvent = Static<typeof StripeEvent>;

/** Whether a body is an event that can be stored. A valid signature does not guarantee it. */
function isStripeEvent(body: unknown): body is StripeEvent {
  return Value.Check(StripeEvent, body);
}

/**
 * Stores an event once, together with its outbox row. Stores only ids, to know its payment: the state is
 * read from Stripe.
 *
 * @returns whether the event was new
 */
export async function storeStripeEvent(
  tx: Transaction,
  event: Pick<StripeEvent, 'id' | 'type' | 'data'>,
  source: 'webhook' | 'reconciliation',
): Promise<boolean> {
  const { object } = event.data;
  const candidate = object.object === 'payment_intent' ? object.id : object.payment_intent;
  const intentId = Value.Check(Name, candidate) ? candidate : null;
  const { rowCount } = await tx.query(
    `insert into stripe_event (id, type, object_id, payment_intent_id, source)
     values ($1, $2, $3, $4, $5) on conflict (id) do nothing`,
    [event.id, event.type, object.id ?? '', intentId, source],
  );
  if (rowCount !== 1) return false;
  await emit(tx, 'stripe.event_received', { stripe_event_id: event.id });
  return true;
}

/** When the webhook last received an event, in seconds since 1970; null for never. */
export async function readLastWebhook(db: Queryable): Promise<number | null> {
  const { rows } = await db.query<{ seconds: number }>(
    `select extract(epoch from received_at)::float8 as seconds from stripe_event
     where source = 'webhook' order by received_at desc limit 1`,
  );
  return rows[0]?.seconds ?? null;
}

type ProcessOutcome = 'done' | 'ignored' | { retryInMs: number };

/**
 * Processes an event from the webhook or the reconciliation. It uses only the payment's id and reads the
 * payment's state from Stripe, so order and repetition do not matter.
 *
 * A learner who registers normally returns within seconds and confirms the payment with a password that
 * only the learner knows. So a registration is left alone for `graceMs`. After that the account is
 * created without a password, and a link to choose one is mailed.
 */
export async function processStripeEvent(
  deps: PaymentDeps,
  stripeEventId: string,
  graceMs: number,
): Promise<ProcessOutcome> {
  const event = await findEvent(deps.db, stripeEventId);
  if (!event) return 'ignored';
  const leftMs = Math.ceil(graceMs - event.age_ms);
  const outcome = await syncEvent(deps, event, leftMs);
  if (typeof outcome !== 'string') return outcome;
  const delay = await markProcessed(deps.db, stripeEventId, graceMs / 1000);
  if (delay !== null) webhookDelay.observe({ stage: 'processed' }, delay);
  return outcome;
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

async function syncEvent(
  deps: PaymentDeps,
  { type, payment_intent_id: intentId }: StripeEventRow,
  leftMs: number,
): Promise<ProcessOutcome> {
  if (!intentId) return 'ignored';
  try {
    const payment = await syncPayment(deps, intentId, { leaveRegistration: leftMs > 0 });
    if (isWaitingForLearner(payment) && leftMs > 0) return { retryInMs: leftMs };
    if (type === 'payment_intent.succeeded') await requestFirstPassword(deps, payment);
    await closeDeclinedPayment(deps, payment);
    return 'done';
  } catch (error) {
    if (isPermanentError(error)) return 'ignored';
    throw error;
  }
}

/** Includes disputed and refunded payments: they become an account too. */
function isWaitingForLearner({ purpose, state, intent_status, attention }: Payment): boolean {
  const isStuck = attention === 'mismatch' || attention === 'email_refused';
  const isPaid = intent_status === 'succeeded' && !isStuck;
  return purpose === 'registration' && state !== 'settled' && isPaid;
}

interface ProcessedRow {
  seconds: number;
  is_first: boolean;
  is_registration: boolean;
}

/**
 * @returns the seconds from receipt to now, without the grace period of a registration; null when the
 *   event was processed before, or came from the reconciliation
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

/**
 * Requests the mail with a link to choose a password for the owner of a reclaimed address, one that a
 * registration took from an unverified identity. An owner who has verified the address meanwhile can
 * already sign in and gets no mail.
 *
 * @throws AppError `identity_provider_failed`
 */
export async function requestReclaimedLink(
  { db, identity }: Pick<PaymentDeps, 'db' | 'identity'>,
  paymentId: string,
): Promise<void> {
  const payment = await findPayment(db, paymentId);
  const user = payment?.email ? await identity.findByEmail(payment.email) : null;
  if (!payment || !user || user.emailVerified) return;
  await requestFor(db, user, payment);
}

/**
 * Requests the mail with a link to choose a password for a learner whose account was created without
 * one. A learner who has a password or has signed in gets no mail. For a reclaimed address,
 * `requestReclaimedLink` sends it.
 *
 * @throws AppError `identity_provider_failed`
 */
export async function requestFirstPassword(
  { db, identity }: Pick<PaymentDeps, 'db' | 'identity'>,
  payment: Payment,
): Promise<void> {
  const { purpose, state, address_reclaimed: isReclaimed } = payment;
  if (purpose !== 'registration' || state !== 'settled' || isReclaimed) return;
  const user = await identity.findByUid(payment.id);
  if (!user || user.hasPassword || user.hasSignedIn) return;
  await requestFor(db, user, payment);
}

/** Requests the mail once for a payment, although an event and a comparison with Stripe may settle it together. */
async function requestFor(
  db: Database,
  { uid, email }: IdentityUser,
  payment: Payment,
): Promise<void> {
  const language = await languageOfUser(db, uid, payment.language);
  await withTransaction(db, async (tx) => {
    await tx.query('select from payment where id = $1 for update', [payment.id]);
    const { rowCount } = await tx.query(
      `select from password_request, payment
       where payment.id = $1 and password_request.email = lower($2) and reason = 'registration'
         and password_request.created_at >= settled_at limit 1`,
      [payment.id, email],
    );
    if (rowCount === 0) await requestPasswordLink(tx, { email, reason: 'registration', language });
  });
}
