import { Type, type Static } from 'typebox';
import { Closed, Day, Ore, OrNull, Timestamp, Uuid } from './common.ts';
import { MAX_NOTE_LENGTH, MAX_SERVICE_DAYS } from './limits.ts';
import { DISPUTE_OUTCOMES, PAYMENT_PURPOSES, REFUND_REASONS, REFUND_STATES } from './payment.ts';

// Payments for administrators: the list, the details of one, refunds, the reconciliation with Stripe, and grants
// of days.

/** The status of a payment. */
export const PAYMENT_STATUSES = [
  'settled',
  'partly_refunded',
  'refunded',
  'disputed',
  /** Paid, but no account has got days for it yet. */
  'paid_unsettled',
  /** The bank has not completed it yet. */
  'processing',
  /** The learner must authenticate with the bank (3-D Secure). */
  'requires_action',
  /** Open, and a card was declined. */
  'declined',
  'open',
  /** Cancelled by us, because it was not paid within a day. */
  'abandoned',
  'cancelled',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Why an administrator must look at a payment. */
const ATTENTIONS = [
  /** The bank wants evidence. */
  'disputed',
  'refund_failed',
  /** Paid for an account that was deleted meanwhile. */
  'account_closed',
  /** Stripe charged another amount or currency than we requested. */
  'mismatch',
  /** Paid, but without an account, because the sign-in service refuses the address. */
  'email_refused',
] as const;
export type Attention = (typeof ATTENTIONS)[number];

/** Why a payment was cancelled. */
const CANCEL_REASONS = [
  /** It was not paid within a day. */
  'abandoned',
  /** Too many cards were declined. */
  'declined',
  'price_changed',
  'learner',
  'administrator',
  'account_closed',
  /** Cancelled at Stripe, by an unknown person. */
  'stripe',
] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

const Status = Type.Enum(PAYMENT_STATUSES, {
  description:
    '`paid_unsettled`: paid, but no account has got days for it; `requires_action`: 3-D Secure; ' +
    '`declined`: open, and a card was declined; `abandoned`: cancelled by us after a day.',
});

export const PaymentsQuery = Closed({
  status: Type.Optional(Status),
  attention: Type.Optional(
    Type.Literal('true', {
      description: 'Only payments that need the attention of an administrator.',
    }),
  ),
  purpose: Type.Optional(Type.Enum(PAYMENT_PURPOSES)),
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      // Control characters are in no address, and PostgreSQL refuses NUL.
      pattern: '^[^\\u0000-\\u001f]*$',
      description:
        "A PaymentIntent's id, a payment's id, a receipt's or an organisation's number (digits " +
        "only), or part of the address of the buyer or of the organisation's name. One or two " +
        'characters match only the beginning of the address.',
    }),
  ),
  before: Type.Optional(
    Type.String({ format: 'uuid', description: 'The `next_before` of the previous page.' }),
  ),
});

const LISTED = {
  id: Uuid,
  created_at: Timestamp,
  paid_at: OrNull(Timestamp, 'When the account got its days.'),
  email: OrNull(Type.String(), 'Null when the learner was deleted.'),
  purpose: Type.Enum(PAYMENT_PURPOSES),
  organisation: OrNull(Type.String(), 'The buyer of a packet; null for other payments.'),
  amount: Ore('Øre, including VAT.'),
  days: Type.Integer({ description: 'Days of service that it buys; of a packet, for each code.' }),
  status: Status,
  refunded: Ore('Øre that were refunded, or are being refunded.'),
  dispute: OrNull(Type.Enum(DISPUTE_OUTCOMES)),
  attention: OrNull(Type.Enum(ATTENTIONS), 'Why an administrator must look at it.'),
  receipt_number: OrNull(Type.Integer()),
  declines: Type.Integer({ minimum: 0, description: 'Cards that were declined.' }),
  payment_intent_id: OrNull(Type.String(), 'Null until Stripe has created it.'),
};

export const ListedPayment = Closed(LISTED);
export type ListedPayment = Static<typeof ListedPayment>;

export const PaymentsResponse = Closed({
  payments: Type.Array(ListedPayment, { description: 'Newest first, at most 50.' }),
  next_before: OrNull(Uuid, 'Null on the last page.'),
});
export type PaymentsResponse = Static<typeof PaymentsResponse>;

export const PaymentParams = Closed({ id: Uuid });

export const PaymentRefund = Closed({
  id: Uuid,
  amount: Ore('Øre.'),
  reason: Type.Enum(REFUND_REASONS, {
    description: '`stripe`: made at Stripe, outside this service.',
  }),
  state: Type.Enum(REFUND_STATES),
  requested_by: OrNull(Type.String(), "The administrator's address."),
  failure: OrNull(Type.String(), 'Why it failed, as reported by Stripe or the bank.'),
  stripe_refund_id: OrNull(Type.String()),
  created_at: Timestamp,
});
export type PaymentRefund = Static<typeof PaymentRefund>;

/** A payment with all its details. */
export const PaymentDetails = Closed({
  ...LISTED,
  username: OrNull(Type.String()),
  uid: OrNull(Type.String(), "The learner's id at the identity provider."),
  intent_status: OrNull(Type.String(), "Stripe's status of the PaymentIntent, as last read."),
  stripe_url: OrNull(Type.String(), "The payment in Stripe's dashboard."),
  consent: OrNull(
    Closed({ version: Type.String(), at: Timestamp }),
    'The consent that the service starts at once: the version of the text, and when it was given.',
  ),
  cancelled_at: OrNull(Timestamp),
  cancel_reason: OrNull(Type.Enum(CANCEL_REASONS)),
  refundable: Ore('Øre that can still be refunded.'),
  credit: OrNull(
    Closed({
      days: Type.Integer(),
      taken_back: Type.Integer({ minimum: 0, description: 'By refunds and disputes.' }),
      starts_at: Timestamp,
      ends_at: Timestamp,
    }),
    'The days that the payment gave.',
  ),
  packet: OrNull(
    Closed({
      organisation: Type.String(),
      organisation_number: OrNull(Type.String()),
      codes: Type.Integer({ minimum: 1 }),
      used: Type.Integer({ minimum: 0 }),
      unused: Type.Integer({ minimum: 0 }),
      withdrawn: Type.Integer({ minimum: 0, description: 'By refunds and disputes.' }),
      expires_at: OrNull(Timestamp),
    }),
    'The packet of codes that was bought; null for another payment.',
  ),
  receipt: OrNull(
    Closed({
      number: Type.Integer(),
      issued_at: Timestamp,
      amount: Ore('Øre.'),
      vat: Ore('Øre; the part of the amount that is VAT.'),
    }),
  ),
  refunds: Type.Array(PaymentRefund, { description: 'Oldest first.' }),
  disputes: Type.Array(
    Closed({
      id: Type.String(),
      status: Type.String({ description: "Stripe's status." }),
      reason: Type.String(),
      amount: Ore('Øre.'),
      evidence_due_at: OrNull(Timestamp, 'Until when the bank accepts evidence.'),
      opened_at: Timestamp,
    }),
  ),
  refusals: Type.Array(Closed({ id: Type.String(), code: OrNull(Type.String()), at: Timestamp }), {
    description: 'Cards that were declined.',
  }),
  events: Type.Array(
    Closed({
      id: Type.String(),
      type: Type.String(),
      received_at: Timestamp,
      processed_at: OrNull(Timestamp),
      source: Type.Enum(['webhook', 'reconciliation'], {
        description: '`reconciliation`: found by us after the webhook did not arrive.',
      }),
    }),
    { description: 'Events from Stripe, newest first.' },
  ),
});
export type PaymentDetails = Static<typeof PaymentDetails>;

export const Reconciliation = Closed({
  id: Uuid,
  requested_by: OrNull(Type.String(), 'An address, or `operator`; null for the schedule.'),
  since: OrNull(Timestamp, 'Compares all payments since then; null: looks only for missed events.'),
  state: Type.Enum(['waiting', 'running', 'done']),
  events_missed: Type.Integer({ minimum: 0 }),
  payments_checked: Type.Integer({ minimum: 0 }),
  payments_changed: Type.Integer({ minimum: 0 }),
  unknown_intents: Type.Array(Type.String(), {
    description: 'Paid at Stripe with our metadata, but not in our database.',
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
  attention: Type.Integer({
    minimum: 0,
    description: 'Payments that need the attention of an administrator.',
  }),
  reconciliation: OrNull(Reconciliation, 'The last completed reconciliation.'),
  running: OrNull(Reconciliation, 'A requested reconciliation that has not completed.'),
});
export type PaymentSummary = Static<typeof PaymentSummary>;

const Note = Type.String({ minLength: 1, maxLength: MAX_NOTE_LENGTH, pattern: '\\S' });

/** Required, so that money and days are given once for each key. */
export const OrderHeaders = Type.Object({
  'idempotency-key': Type.String({
    format: 'uuid',
    description: 'One for each order: an order sent again is not executed again.',
  }),
});

export const RefundRequest = Closed({
  amount: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 99_999_999,
      description: 'Øre; default: all that can be refunded.',
    }),
  ),
  reason_note: Type.Optional(Note),
});
export type RefundRequest = Static<typeof RefundRequest>;

export const ReconciliationRequest = Closed({
  since: Type.Optional(
    Day(
      'Compare all payments since then, at most 90 days back. Default: look only for missed events.',
    ),
  ),
});
export type ReconciliationRequest = Static<typeof ReconciliationRequest>;

const Days = Type.Integer({ minimum: 1, maximum: MAX_SERVICE_DAYS });
export const GrantRequest = Closed({
  audience: Type.Enum(['account', 'active'], {
    description:
      '`account`: the user with this `uid`; `active`: all users whose service is active.',
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
  accounts: Type.Integer({ minimum: 0, description: 'The number of accounts that got the days.' }),
  created_by: Type.String(),
  created_at: Timestamp,
});
export type Grant = Static<typeof Grant>;

export const GrantAudience = Closed({
  accounts: Type.Integer({ minimum: 0, description: 'Accounts whose service is active now.' }),
});
export type GrantAudience = Static<typeof GrantAudience>;
