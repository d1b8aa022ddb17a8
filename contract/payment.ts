import { type Static, Type } from 'typebox';
import { AccountResponse, WaitingDays } from './account.ts';
import { Closed, Email, Language, Ore, Timestamp, Uuid } from './common.ts';
import { CONSENT_TEXTS, type ConsentVersion } from './consent-texts.ts';
import { MAX_NAME_LENGTH } from './limits.ts';

// Payments of learners: starting, confirming and cancelling one, purchases with receipts, and withdrawal.

/** What a payment is for: a new account, more days for one, or a packet of codes for schools and employers. */
export const PAYMENT_PURPOSES = ['registration', 'extension', 'packet'] as const;
export type PaymentPurpose = (typeof PAYMENT_PURPOSES)[number];

/** Who made a refund; `stripe`: made at Stripe, outside this service. */
export const REFUND_REASONS = ['withdrawal', 'administrator', 'stripe'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

export const REFUND_STATES = ['requested', 'pending', 'succeeded', 'failed', 'cancelled'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** The outcome of a dispute with the bank. */
export const DISPUTE_OUTCOMES = ['open', 'won', 'lost'] as const;
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number];

/**
 * The service refuses passwords that are too short or too common, with the reason. The schema only limits what
 * is checked.
 */
const Password = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: '8 to 128 characters, and not a common password: see `password_refused`.',
});
const Username = Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: '\\S' });
const PaymentIntentId = Type.String({ pattern: '^pi_[A-Za-z0-9_]+$', maxLength: 255 });

/** A code for schools and employers, as it was typed. */
export const AccessCode = Type.String({
  minLength: 1,
  maxLength: 60,
  description: '16 letters and digits; spaces, dashes and small letters do not matter.',
});

const MailLanguage = Type.Optional(
  Type.Union(Language.anyOf, { description: 'The language of mails to the learner; default no.' }),
);

/** Stored with the payment, with its time. Without it there is no consent. */
const Consent = Type.Optional(
  Type.Enum(Object.keys(CONSENT_TEXTS) as ConsentVersion[], {
    description:
      'The version of the text in which the learner requests that the service starts at once. Without it, the days of a payer who has withdrawn from an earlier purchase begin when the withdrawal period is over: see `waiting_days`.',
  }),
);

export const CreateRegistrationIntentRequest = Closed({
  email: Email,
  username: Username,
  password: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description:
        'Checked and not stored: a password that `confirm-registration` would refuse is refused before the payment.',
    }),
  ),
  language: MailLanguage,
  consent_version: Consent,
});
export type CreateRegistrationIntentRequest = Static<typeof CreateRegistrationIntentRequest>;

/** The body may be left out. */
export const CreateIntentRequest = Type.Union([Closed({ consent_version: Consent }), Type.Null()]);
export type CreateIntentRequest = Static<typeof CreateIntentRequest>;

/** The client sends one key for each click, so that a repeated request creates one PaymentIntent. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ minLength: 8, maxLength: 128 })),
});

export const IntentResponse = Closed({
  client_secret: Type.Union([Type.String(), Type.Null()], {
    description: 'Null while the service is free: there is nothing to pay.',
  }),
  amount: Type.Integer({ minimum: 0, description: 'Øre, including VAT.' }),
  payment_intent_id: Type.Union([PaymentIntentId, Type.Null()]),
  service_days: Type.Integer({
    description: 'Days that this payment gives; fixed when the intent is created.',
  }),
});
export type IntentResponse = Static<typeof IntentResponse>;

export const ConfirmRegistrationRequest = Closed({
  payment_intent_id: Type.Optional(PaymentIntentId),
  code: Type.Optional(AccessCode),
  email: Email,
  password: Password,
  username: Username,
  language: MailLanguage,
});
export type ConfirmRegistrationRequest = Static<typeof ConfirmRegistrationRequest>;

export const ConfirmRegistrationResponse = Closed({
  account: AccountResponse.properties.account,
  days_remaining: AccountResponse.properties.days_remaining,
  waiting_days: WaitingDays,
  account_existed: Type.Boolean({
    description:
      'The address already had a user. Unless `password_mailed` is true, the payment has extended that account, and its password is unchanged.',
  }),
  password_mailed: Type.Boolean({
    description:
      'That user had not proved the address and had no days. They were removed, the account is new, and a link to choose its password was mailed to the address. The password of this call is not used.',
  }),
});
export type ConfirmRegistrationResponse = Static<typeof ConfirmRegistrationResponse>;

export const ConfirmRequest = Closed({ payment_intent_id: PaymentIntentId });
export type ConfirmRequest = Static<typeof ConfirmRequest>;

export const ConfirmResponse = Closed({
  account: AccountResponse.properties.account,
  days_remaining: AccountResponse.properties.days_remaining,
  waiting_days: WaitingDays,
});
export type ConfirmResponse = Static<typeof ConfirmResponse>;

/** The response (202) while the bank has not completed the payment, or the customer must act: poll again. */
export const NotYetResponse = Closed({
  status: Type.Enum(['processing', 'requires_action'] as const),
});
export type NotYetResponse = Static<typeof NotYetResponse>;

const ownPayment = {
  payment_intent_id: PaymentIntentId,
  client_secret: Type.String({
    minLength: 1,
    maxLength: 500,
    description: "Proves that the payment is the caller's own.",
  }),
};

export const CancelPaymentRequest = Closed(ownPayment);
export type CancelPaymentRequest = Static<typeof CancelPaymentRequest>;

/** The payment and its client secret: a bank or wallet returns its customer to an address with both. */
export const PaymentStatusRequest = Closed(ownPayment);
export type PaymentStatusRequest = Static<typeof PaymentStatusRequest>;

const PAYMENT_STATUSES = [
  'unpaid',
  'requires_action',
  'processing',
  'paid',
  'settled',
  'cancelled',
  'expired',
  'needs_help',
] as const;

export const PaymentStatusResponse = Closed({
  purpose: Type.Enum(PAYMENT_PURPOSES),
  status: Type.Enum(PAYMENT_STATUSES, {
    description:
      '`unpaid`: nothing was charged, and the payment can be tried again; `paid`: a registration that waits for its password; `settled`: the days are given; `needs_help`: paid, and we must look at it.',
  }),
  amount: Ore('Øre, including VAT.'),
  service_days: Type.Integer({ minimum: 1 }),
  packet_key: Type.Union([Type.String(), Type.Null()], {
    description: 'The key to the packet of codes that was bought; null for another payment.',
  }),
  registration: Type.Union(
    [
      Closed({
        email: Email,
        username: Type.String(),
        needs_password: Type.Boolean({
          description:
            'Paid, and no password was chosen yet: `confirm-registration` sets it. False also for an address whose owner gets a mailed link.',
        }),
      }),
      Type.Null(),
    ],
    {
      description:
        'Whose registration it is; null for an extension, and a day after the payment was started.',
    },
  ),
});
export type PaymentStatusResponse = Static<typeof PaymentStatusResponse>;

export const WebhookResponse = Closed({ received: Type.Literal(true) });

export const SearchPaymentsRequest = Closed({
  email: Email,
  language: Type.Optional(
    Type.Union(Language.anyOf, { description: 'The language of the mail; default no.' }),
  ),
});
export type SearchPaymentsRequest = Static<typeof SearchPaymentsRequest>;

const Period = (description: string) =>
  Closed({ starts_at: Timestamp, ends_at: Timestamp }, { description });

const RefundStateSchema = Type.Enum(REFUND_STATES, {
  description: '`requested`: not yet sent to Stripe; `pending`: sent to Stripe, not yet completed.',
});

export const RefundResponse = Closed({
  id: Uuid,
  amount: Ore('Øre.'),
  reason: Type.Enum(REFUND_REASONS, {
    description: 'Who made it: the learner by withdrawing, or we.',
  }),
  state: RefundStateSchema,
  date: Timestamp,
});
export type RefundResponse = Static<typeof RefundResponse>;

const purchase = {
  id: Uuid,
  receipt_number: Type.Integer({ minimum: 1 }),
  paid_at: Timestamp,
  amount: Ore('Øre, including VAT.'),
  vat: Ore('Øre; the part of the amount that is VAT.'),
  service_days: Type.Integer({ minimum: 1 }),
  period: Period('As on the receipt, from the day of the payment.'),
  current_period: Period(
    'The current period, without days that refunds and disputes have taken back.',
  ),
  refunded: Ore('Øre that were refunded, or are being refunded by Stripe.'),
  state: Type.Enum(['paid', 'partly_refunded', 'refunded', 'disputed'] as const),
  dispute: Type.Union([Type.Enum(DISPUTE_OUTCOMES), Type.Null()], {
    description:
      'A dispute with the bank about the payment. Its days are taken back while it is open, and for good if we lose it.',
  }),
  refunds: Type.Array(RefundResponse, { description: 'Newest first.' }),
  withdrawal_until: Type.String({
    format: 'date-time',
    description: 'The end of the right of withdrawal.',
  }),
  withdrawal: Type.Union(
    [
      Closed({
        until: Timestamp,
        refund_amount: Type.Integer({
          minimum: 1,
          description: 'Øre: the refund for a withdrawal now.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'Null when the period is over, or nothing is left to refund.' },
  ),
};

export const Purchase = Closed(purchase);
export type Purchase = Static<typeof Purchase>;

export const PurchasesResponse = Closed({
  payments: Type.Array(Purchase),
  under_way: Type.Union(
    [
      Closed({
        payment_intent_id: PaymentIntentId,
        status: NotYetResponse.properties.status,
      }),
      Type.Null(),
    ],
    {
      description:
        'The open payment for an extension that the bank has not completed, or that the customer must act on: `/payment/confirm` returns its state.',
    },
  ),
});
export type PurchasesResponse = Static<typeof PurchasesResponse>;

export const ReceiptResponse = Closed({
  ...purchase,
  issued_at: Timestamp,
  vat_percent: Type.Integer({
    minimum: 0,
    description: '0 when the seller was not registered for VAT.',
  }),
  seller: Closed(
    {
      name: Type.Union([Type.String(), Type.Null()]),
      organisation_number: Type.Union([Type.String(), Type.Null()]),
      address: Type.Union([Type.String(), Type.Null()]),
    },
    { description: 'As it was when the receipt was issued.' },
  ),
  buyer_email: Type.String(),
});
export type ReceiptResponse = Static<typeof ReceiptResponse>;

export const PurchaseParams = Closed({ id: Uuid });

export const WithdrawRequest = Closed({
  refund_amount: Type.Integer({
    minimum: 1,
    description: 'Øre: the `withdrawal.refund_amount` that the learner was shown and agreed to.',
  }),
});
export type WithdrawRequest = Static<typeof WithdrawRequest>;
