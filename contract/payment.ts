import { type Static, Type } from 'typebox';
import { AccountResponse, WaitingDays } from './account.ts';
import { Closed, Email, Language, Ore, Timestamp, Uuid } from './common.ts';
import { CONSENT_TEXTS, type ConsentVersion } from './consent-texts.ts';
import { MAX_NAME_LENGTH } from './limits.ts';

// Payments of learners: beginning, confirming and cancelling one, purchases with their receipts, and withdrawal.

/** What a payment is for: a new account, or more days for one. */
export const PAYMENT_PURPOSES = ['registration', 'extension'] as const;
export type PaymentPurpose = (typeof PAYMENT_PURPOSES)[number];

/** Who began a refund; `stripe`: it was made at Stripe, outside of this service. */
export const REFUND_REASONS = ['withdrawal', 'administrator', 'stripe'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

export const REFUND_STATES = ['requested', 'pending', 'succeeded', 'failed', 'cancelled'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** What became of a complaint to the bank. */
export const DISPUTE_OUTCOMES = ['open', 'won', 'lost'] as const;
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number];

/**
 * What is too short or too easily guessed is refused by the service, which says why; these are the bounds
 * of what is looked at.
 */
const Password = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: '8 to 128 characters, and none of the common ones: see `password_refused`.',
});
const Username = Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: '\\S' });
const PaymentIntentId = Type.String({ pattern: '^pi_[A-Za-z0-9_]+$', maxLength: 255 });

const MailLanguage = Type.Optional(
  Type.Union(Language.anyOf, { description: 'What we write to the learner in; default no.' }),
);

/** Stored with the payment and its time. A call without it is taken as no consent. */
const Consent = Type.Optional(
  Type.Enum(Object.keys(CONSENT_TEXTS) as ConsentVersion[], {
    description:
      'The version of the text by which the learner asked for the service to start at once. Without it, the days of a payer who has withdrawn from a purchase before begin when the withdrawal period is over: see `waiting_days`.',
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
        'Looked at and not kept: what `confirm-registration` would refuse after the payment is refused before it.',
    }),
  ),
  language: MailLanguage,
  consent_version: Consent,
});
export type CreateRegistrationIntentRequest = Static<typeof CreateRegistrationIntentRequest>;

/** The body may be left out. */
export const CreateIntentRequest = Type.Union([Closed({ consent_version: Consent }), Type.Null()]);
export type CreateIntentRequest = Static<typeof CreateIntentRequest>;

/** A click carries its own key, so that a click sent twice makes one PaymentIntent. */
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
    description: 'Days that this payment gives; fixed when the intent is made.',
  }),
});
export type IntentResponse = Static<typeof IntentResponse>;

export const ConfirmRegistrationRequest = Closed({
  payment_intent_id: Type.Optional(PaymentIntentId),
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
      'The address already had a user. Unless `password_mailed` is true, the payment extended its account and its password is unchanged.',
  }),
  password_mailed: Type.Boolean({
    description:
      'That user had not proved the address and had no days: they were removed, the account is a new one, and its password is chosen by the link that is mailed to the address. The password of this call is not used.',
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

/** The answer (202) while the bank or its customer is not done: ask again in a moment. */
export const NotYetResponse = Closed({
  status: Type.Enum(['processing', 'requires_action'] as const),
});
export type NotYetResponse = Static<typeof NotYetResponse>;

export const CancelPaymentRequest = Closed({
  payment_intent_id: PaymentIntentId,
  client_secret: Type.String({
    minLength: 1,
    maxLength: 500,
    description: "What shows that the payment is the caller's own.",
  }),
});
export type CancelPaymentRequest = Static<typeof CancelPaymentRequest>;

export const WebhookResponse = Closed({ received: Type.Literal(true) });

export const SearchPaymentsRequest = Closed({
  email: Email,
  language: Type.Optional(
    Type.Union(Language.anyOf, { description: 'What the mail is written in; default no.' }),
  ),
});
export type SearchPaymentsRequest = Static<typeof SearchPaymentsRequest>;

const Period = (description: string) =>
  Closed({ starts_at: Timestamp, ends_at: Timestamp }, { description });

const RefundStateSchema = Type.Enum(REFUND_STATES, {
  description: 'requested: not yet at Stripe; pending: at Stripe, and not yet at the bank.',
});

export const RefundResponse = Closed({
  id: Uuid,
  amount: Ore('Øre.'),
  reason: Type.Enum(REFUND_REASONS, {
    description: 'Who began it: the learner by withdrawing, or we.',
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
  period: Period('As the receipt says, from the day that it was paid.'),
  current_period: Period('As it is now: less what refunds and disputes have taken back.'),
  refunded: Ore('Øre that were paid back, or are on their way from Stripe.'),
  state: Type.Enum(['paid', 'partly_refunded', 'refunded', 'disputed'] as const),
  dispute: Type.Union([Type.Enum(DISPUTE_OUTCOMES), Type.Null()], {
    description:
      'A complaint to the bank about the payment; its days are taken back while it is open, and for good when we lost it.',
  }),
  refunds: Type.Array(RefundResponse, { description: 'The newest first.' }),
  withdrawal_until: Type.String({
    format: 'date-time',
    description: 'The last moment of the right of withdrawal.',
  }),
  withdrawal: Type.Union(
    [
      Closed({
        until: Timestamp,
        refund_amount: Type.Integer({
          minimum: 1,
          description: 'Øre: what withdrawing now pays back.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'Null when the time is over, or there is nothing left to withdraw from.' },
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
        'The payment for more service that the bank, or its customer, is not done with: `/payment/confirm` says what becomes of it.',
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
