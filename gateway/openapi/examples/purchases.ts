import type {
  Purchase,
  PurchasesResponse,
  ReceiptResponse,
  RefundResponse,
  WithdrawRequest,
} from '@proveklar/contract/payment.ts';
import type { OperationDocs } from './operation.ts';
import { DEMO_EMAIL, PAYMENT_ID, PAYMENT_INTENT_ID } from './values.ts';

const REFUND: RefundResponse = {
  id: '019bc0df-2c44-7d19-8a05-3f7e6b21d9c0',
  amount: 14900,
  reason: 'withdrawal',
  state: 'requested',
  date: '2026-01-16T09:00:00.000Z',
};

const BOUGHT: Purchase = {
  id: PAYMENT_ID,
  receipt_number: 1,
  paid_at: '2026-01-15T08:30:00.000Z',
  amount: 14900,
  vat: 2980,
  service_days: 30,
  period: { starts_at: '2026-01-15T08:30:00.000Z', ends_at: '2026-02-14T08:30:00.000Z' },
  current_period: { starts_at: '2026-01-15T08:30:00.000Z', ends_at: '2026-02-14T08:30:00.000Z' },
  refunded: 0,
  state: 'paid',
  dispute: null,
  refunds: [],
  withdrawal_until: '2026-01-29T22:59:59.999Z',
  withdrawal: { until: '2026-01-29T22:59:59.999Z', refund_amount: 14900 },
};

const WITHDRAWN: Purchase = { ...BOUGHT, refunds: [REFUND], withdrawal: null };

const SELLER: ReceiptResponse['seller'] = {
  name: 'Prøveklar AS',
  organisation_number: '923609016',
  address: 'Storgata 1\n0155 Oslo',
};

export const listPurchases: OperationDocs<never, PurchasesResponse> = {
  operationId: 'listPurchases',
  description: 'Newest first. Granted days are not listed.',
  examples: {
    bought: {
      summary: 'One purchase, made yesterday',
      answer: { payments: [BOUGHT], under_way: null },
    },
    nothing: { summary: 'No payment yet', answer: { payments: [], under_way: null } },
    under_way: {
      summary: 'The bank is processing the first payment',
      answer: {
        payments: [],
        under_way: { payment_intent_id: PAYMENT_INTENT_ID, status: 'processing' },
      },
    },
  },
};

export const readReceipt: OperationDocs<never, ReceiptResponse> = {
  operationId: 'readReceipt',
  description:
    "The seller, the price and the text of the purchase never change. The buyer's address is the present one, and refunds are added.",
  examples: {
    bought: {
      summary: 'The receipt of a purchase',
      path: { id: PAYMENT_ID },
      answer: {
        ...BOUGHT,
        issued_at: '2026-01-15T08:30:00.000Z',
        vat_percent: 25,
        seller: SELLER,
        buyer_email: DEMO_EMAIL,
      },
    },
    withdrawn: {
      summary: 'The learner has withdrawn, and the refund is pending',
      path: { id: PAYMENT_ID },
      answer: {
        ...WITHDRAWN,
        issued_at: '2026-01-15T08:30:00.000Z',
        vat_percent: 25,
        seller: SELLER,
        buyer_email: DEMO_EMAIL,
      },
    },
  },
  errors: { payment_not_found: {} },
};

export const withdrawFromPurchase: OperationDocs<WithdrawRequest, RefundResponse> = {
  operationId: 'withdrawFromPurchase',
  description:
    'Possible within 14 days. A learner who asked for the service to start at once gets the amount less the price of the used days. The body holds the amount that the learner agreed to. The access ends as soon as Stripe has made the refund, and a mail confirms it.',
  examples: {
    withdrawn: {
      summary: 'A purchase with no whole day used',
      path: { id: PAYMENT_ID },
      body: { refund_amount: 14900 },
      answer: REFUND,
    },
  },
  errors: {
    payment_not_found: {},
    payment_not_refundable: {},
    withdrawal_changed: { details: { refund_amount: 14404 } },
    withdrawal_over: {},
  },
};
