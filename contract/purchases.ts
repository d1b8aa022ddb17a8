import { Type, type Static } from 'typebox';
import { Closed, Timestamp, Uuid } from './common.ts';
import { NotYetResponse, PaymentIntentId } from './payment.ts';

const Ore = (description: string) => Type.Integer({ minimum: 0, description });

const Period = (description: string) =>
  Closed({ starts_at: Timestamp, ends_at: Timestamp }, { description });

const RefundState = Type.Enum(
  ['requested', 'pending', 'succeeded', 'failed', 'cancelled'] as const,
  { description: 'requested: not yet at Stripe; pending: at Stripe, and not yet at the bank.' },
);

export const RefundResponse = Closed({
  id: Uuid,
  amount: Ore('Øre.'),
  reason: Type.Enum(['withdrawal', 'administrator', 'stripe'] as const, {
    description: 'Who began it: the learner by withdrawing, or we.',
  }),
  state: RefundState,
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
  dispute: Type.Union([Type.Enum(['open', 'won', 'lost'] as const), Type.Null()], {
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
