import { Type, type Static } from 'typebox';
import { Closed, Ore, OrNull, Timestamp, Uuid } from './common.ts';
import { MAX_NOTE_LENGTH, MAX_SERVICE_DAYS } from './limits.ts';
import { DISPUTE_OUTCOMES, PAYMENT_PURPOSES, REFUND_REASONS, REFUND_STATES } from './payment.ts';

// Payments as administrators see them: the list, one with all that became of it, refunds, the comparison with
// Stripe, and days that are granted.

/** What became of a payment, in one word. */
export const PAYMENT_STATUSES = [
  'settled',
  'partly_refunded',
  'refunded',
  'disputed',
  /** Paid, and no account has got days for it yet. */
  'paid_unsettled',
  /** The bank is still working on it. */
  'processing',
  /** The learner is to identify themselves to the bank (3-D Secure). */
  'requires_action',
  /** Open, and a card was refused. */
  'declined',
  'open',
  /** Cancelled by us: it was not paid within a day. */
  'abandoned',
  'cancelled',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Why a person must look at a payment. */
const ATTENTIONS = [
  /** The bank wants evidence. */
  'disputed',
  'refund_failed',
  /** Paid for an account that was deleted meanwhile. */
  'account_closed',
  /** Stripe took another amount or currency than we asked for. */
  'mismatch',
  /** Paid, but the sign-in service refuses the address: it has no account. */
  'email_refused',
] as const;
export type Attention = (typeof ATTENTIONS)[number];

/** Why a payment will never be made. */
const CANCEL_REASONS = [
  /** It was not paid within a day. */
  'abandoned',
  /** Too many cards were declined. */
  'declined',
  'price_changed',
  'learner',
  'administrator',
  'account_closed',
  /** Cancelled at Stripe, by whom we cannot know. */
  'stripe',
] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

const Status = Type.Enum(PAYMENT_STATUSES, {
  description:
    '`paid_unsettled`: paid, and nobody has got days for it; `requires_action`: 3-D Secure; ' +
    '`declined`: open, and a card was refused; `abandoned`: cancelled by us after a day.',
});

export const PaymentsQuery = Closed({
  status: Type.Optional(Status),
  attention: Type.Optional(
    Type.Literal('true', { description: 'Only those that a person must look at.' }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      // What no address has and PostgreSQL does not take.
      pattern: '^[^\\u0000-\\u001f]*$',
      description:
        "A PaymentIntent's id, a payment's id, a receipt's number (digits only), or part of a " +
        "learner's address. One or two characters are looked for at its beginning only.",
    }),
  ),
  before: Type.Optional(
    Type.String({ format: 'uuid', description: 'The `next_before` of the page before.' }),
  ),
});

const LISTED = {
  id: Uuid,
  created_at: Timestamp,
  paid_at: OrNull(Timestamp, 'When it became days.'),
  email: OrNull(Type.String(), 'Null when the learner was deleted.'),
  purpose: Type.Enum(PAYMENT_PURPOSES),
  amount: Ore('Øre, including VAT.'),
  days: Type.Integer({ description: 'Days of service that it buys.' }),
  status: Status,
  refunded: Ore('Øre that were paid back, or are on their way.'),
  dispute: OrNull(Type.Enum(DISPUTE_OUTCOMES)),
  attention: OrNull(Type.Enum(ATTENTIONS), 'Why a person must look at it.'),
  receipt_number: OrNull(Type.Integer()),
  declines: Type.Integer({ minimum: 0, description: 'Cards that were refused.' }),
  payment_intent_id: OrNull(Type.String(), 'Null until Stripe has made it.'),
};

const ListedPayment = Closed(LISTED);
export type ListedPayment = Static<typeof ListedPayment>;

export const PaymentsResponse = Closed({
  payments: Type.Array(ListedPayment, { description: 'The newest first; 50 at most.' }),
  next_before: OrNull(Uuid, 'Null when there are no more.'),
});
export type PaymentsResponse = Static<typeof PaymentsResponse>;

export const PaymentParams = Closed({ id: Uuid });

export const PaymentRefund = Closed({
  id: Uuid,
  amount: Ore('Øre.'),
  reason: Type.Enum(REFUND_REASONS, {
    description: '`stripe`: made at Stripe, outside of this service.',
  }),
  state: Type.Enum(REFUND_STATES),
  requested_by: OrNull(Type.String(), "The administrator's address."),
  failure: OrNull(Type.String(), 'Why it failed, in the words of Stripe or the bank.'),
  stripe_refund_id: OrNull(Type.String()),
  created_at: Timestamp,
});
export type PaymentRefund = Static<typeof PaymentRefund>;

/** Everything that is known of a payment. */
export const PaymentDetails = Closed({
  ...LISTED,
  username: OrNull(Type.String()),
  uid: OrNull(Type.String(), 'The learner, as the identity provider calls them.'),
  intent_status: OrNull(Type.String(), "Stripe's own word, when it was last read."),
  stripe_url: OrNull(Type.String(), 'Where Stripe shows it.'),
  consent: OrNull(
    Closed({ version: Type.String(), at: Timestamp }),
    'That the service starts at once: the text that the learner agreed to.',
  ),
  cancelled_at: OrNull(Timestamp),
  cancel_reason: OrNull(Type.Enum(CANCEL_REASONS)),
  refundable: Ore('Øre that can still be paid back.'),
  credit: OrNull(
    Closed({
      days: Type.Integer(),
      taken_back: Type.Integer({ minimum: 0, description: 'By refunds and disputes.' }),
      starts_at: Timestamp,
      ends_at: Timestamp,
    }),
    'The days that it gave.',
  ),
  receipt: OrNull(
    Closed({
      number: Type.Integer(),
      issued_at: Timestamp,
      amount: Ore('Øre.'),
      vat: Ore('Øre; the part of the amount that is VAT.'),
    }),
  ),
  refunds: Type.Array(PaymentRefund, { description: 'The oldest first.' }),
  disputes: Type.Array(
    Closed({
      id: Type.String(),
      status: Type.String({ description: "Stripe's own word." }),
      reason: Type.String(),
      amount: Ore('Øre.'),
      evidence_due_at: OrNull(Timestamp, 'Until when the bank takes evidence.'),
      opened_at: Timestamp,
    }),
  ),
  refusals: Type.Array(Closed({ id: Type.String(), code: OrNull(Type.String()), at: Timestamp }), {
    description: 'Cards that were refused.',
  }),
  events: Type.Array(
    Closed({
      id: Type.String(),
      type: Type.String(),
      received_at: Timestamp,
      processed_at: OrNull(Timestamp),
      source: Type.Enum(['webhook', 'reconciliation'], {
        description: '`reconciliation`: found by us when it did not come.',
      }),
    }),
    { description: 'What Stripe said has happened, the newest first.' },
  ),
});
export type PaymentDetails = Static<typeof PaymentDetails>;

export const Reconciliation = Closed({
  id: Uuid,
  requested_by: OrNull(Type.String(), 'An address, or `operator`; null for the schedule.'),
  since: OrNull(
    Timestamp,
    'All payments since then are compared; null: only missed events are looked for.',
  ),
  state: Type.Enum(['waiting', 'running', 'done']),
  events_missed: Type.Integer({ minimum: 0 }),
  payments_checked: Type.Integer({ minimum: 0 }),
  payments_changed: Type.Integer({ minimum: 0 }),
  unknown_intents: Type.Array(Type.String(), {
    description: 'Paid at Stripe with our mark, and not in our books.',
  }),
  created_at: Timestamp,
  done_at: OrNull(Timestamp),
});
export type Reconciliation = Static<typeof Reconciliation>;

const Count = Type.Integer({ minimum: 0 });
export const PaymentSummary = Closed({
  counts: Closed({
    settled: Count,
    partly_refunded: Count,
    refunded: Count,
    disputed: Count,
    paid_unsettled: Count,
    processing: Count,
    requires_action: Count,
    declined: Count,
    open: Count,
    abandoned: Count,
    cancelled: Count,
  }),
  attention: Type.Integer({ minimum: 0, description: 'Payments that a person must look at.' }),
  reconciliation: OrNull(Reconciliation, 'The last comparison with Stripe that is done.'),
  running: OrNull(Reconciliation, 'One that a person ordered and that is not done yet.'),
});
export type PaymentSummary = Static<typeof PaymentSummary>;

const Note = Type.String({ minLength: 1, maxLength: MAX_NOTE_LENGTH, pattern: '\\S' });

/** Required: money and days are given once for each key. */
export const OrderHeaders = Type.Object({
  'idempotency-key': Type.String({
    format: 'uuid',
    description: 'One for each order: sent again, it is not done again.',
  }),
});

export const RefundRequest = Closed({
  amount: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 99_999_999,
      description: 'Øre; default: all that is left.',
    }),
  ),
  reason_note: Type.Optional(Note),
});
export type RefundRequest = Static<typeof RefundRequest>;

export const ReconciliationRequest = Closed({
  since: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Compare all payments since then; at most 90 days back. Default: missed events.',
    }),
  ),
});
export type ReconciliationRequest = Static<typeof ReconciliationRequest>;

const Days = Type.Integer({ minimum: 1, maximum: MAX_SERVICE_DAYS });
export const GrantRequest = Closed({
  audience: Type.Enum(['account', 'active'], {
    description: '`account`: the user of `uid`; `active`: everybody whose service is active.',
  }),
  uid: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, pattern: '^[^\\u0000-\\u001f]+$' }),
  ),
  days: Days,
  note: Note,
});
export type GrantRequest = Static<typeof GrantRequest>;

export const Grant = Closed({
  id: Uuid,
  audience: Type.Enum(['account', 'active']),
  days: Days,
  note: OrNull(Type.String()),
  accounts: Type.Integer({ minimum: 0, description: 'How many got them.' }),
  created_by: Type.String(),
  created_at: Timestamp,
});
export type Grant = Static<typeof Grant>;

export const GrantAudience = Closed({
  accounts: Type.Integer({ minimum: 0, description: 'Whose service is active now.' }),
});
export type GrantAudience = Static<typeof GrantAudience>;
