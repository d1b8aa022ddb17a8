import type { Static } from 'typebox';
import type { Ok } from '@proveklar/contract/common.ts';
import type {
  CancelPaymentRequest,
  ConfirmRegistrationRequest,
  ConfirmRegistrationResponse,
  ConfirmRequest,
  ConfirmResponse,
  CreateIntentRequest,
  CreateRegistrationIntentRequest,
  IntentResponse,
  NotYetResponse,
  Purchase,
  PurchasesResponse,
  ReceiptResponse,
  RefundResponse,
  SearchPaymentsRequest,
  WebhookResponse,
  WithdrawRequest,
} from '@proveklar/contract/payment.ts';
import type { OperationDocs } from './operation.ts';
import {
  CLIENT_SECRET,
  DEMO_EMAIL,
  DEMO_NAME,
  PAYMENT_ID,
  PAYMENT_INTENT_ID,
  REGISTERED_AT,
} from './values.ts';

const OPENED: IntentResponse = {
  client_secret: CLIENT_SECRET,
  amount: 14900,
  payment_intent_id: PAYMENT_INTENT_ID,
  service_days: 30,
};

export const createRegistrationIntent: OperationDocs<
  CreateRegistrationIntentRequest,
  IntentResponse
> = {
  operationId: 'createRegistrationIntent',
  description:
    'Opens a PaymentIntent with price and days fixed; the browser confirms it with Stripe and then calls `confirm-registration`. It answers the same for an address that has an account: that payment then extends it. Calls with the same `Idempotency-Key` and body get the same intent, which is not limited. By default 60 can be begun within an hour from one client address (an IPv6 address counts by its /56), and 5 of them for one e-mail address; `details.retry_after_s` and `Retry-After` say how long to wait. A `password` is only looked at: what `confirm-registration` would refuse is so said before anything is paid. `details.reason` is `short`, `long`, `common`, `personal` (the name or the address) or `policy` (`details.kinds` are missing).',
  examples: {
    paid: {
      summary: 'A registration for 149.00 NOK',
      headers: { 'idempotency-key': 'klikk-7f3a2c51' },
      body: {
        email: DEMO_EMAIL,
        username: DEMO_NAME,
        password: 'et godt passord',
        consent_version: 'no-2026-11',
      },
      answer: OPENED,
    },
    free: {
      summary: 'While the service is free there is nothing to pay',
      body: { email: DEMO_EMAIL, username: DEMO_NAME },
      answer: { client_secret: null, amount: 0, payment_intent_id: null, service_days: 30 },
    },
  },
  errors: {
    password_refused: {
      error: 'Many people have this password. Choose another one.',
      details: { reason: 'common' },
    },
    rate_limited: { details: { retry_after_s: 3600 } },
    payment_cancelled: { details: { reason: 'learner' } },
    payment_expired: {},
    payment_provider_failed: {},
  },
};

export const confirmRegistration: OperationDocs<
  ConfirmRegistrationRequest,
  ConfirmRegistrationResponse | NotYetResponse
> = {
  operationId: 'confirmRegistration',
  description:
    'Settles the payment and makes the account, exactly once however often it is called. `payment_intent_id` may be left out only while the service is free; such calls are limited as payments are.',
  examples: {
    paid: {
      summary: 'A registration that was paid',
      body: {
        payment_intent_id: PAYMENT_INTENT_ID,
        email: DEMO_EMAIL,
        password: 'et godt passord',
        username: DEMO_NAME,
      },
      answer: {
        account: {
          registered_at: REGISTERED_AT,
          service_expires_at: '2026-02-14T08:30:00.000Z',
          is_active: true,
        },
        days_remaining: 30,
        waiting_days: [],
        account_existed: false,
        password_mailed: false,
      },
    },
    reclaimed: {
      summary: 'Paid, for an address that an unverified user without days had',
      body: {
        payment_intent_id: PAYMENT_INTENT_ID,
        email: DEMO_EMAIL,
        password: 'et godt passord',
        username: DEMO_NAME,
      },
      answer: {
        account: {
          registered_at: REGISTERED_AT,
          service_expires_at: '2026-02-14T08:30:00.000Z',
          is_active: true,
        },
        days_remaining: 30,
        waiting_days: [],
        account_existed: true,
        password_mailed: true,
      },
    },
    processing: {
      summary: 'The bank is still working on it: ask again in some seconds',
      body: {
        payment_intent_id: PAYMENT_INTENT_ID,
        email: DEMO_EMAIL,
        password: 'et godt passord',
        username: DEMO_NAME,
      },
      status: 202,
      answer: { status: 'processing' },
    },
    free: {
      summary: 'A registration while the service is free',
      body: { email: DEMO_EMAIL, password: 'et godt passord', username: DEMO_NAME },
      answer: {
        account: { registered_at: REGISTERED_AT, service_expires_at: null, is_active: true },
        days_remaining: 0,
        waiting_days: [],
        account_existed: false,
        password_mailed: false,
      },
    },
  },
  errors: {
    rate_limited: { details: { retry_after_s: 3600 } },
    email_refused: {},
    password_refused: {},
    account_disabled: {},
    payment_not_found: {},
    payment_mismatch: {
      error: 'Another amount was paid than was asked for. Do not pay again; write to us.',
      details: { reason: 'amount' },
    },
    payment_not_completed: { details: { status: 'requires_payment_method' } },
    payment_declined: { details: { decline_code: 'generic_decline' } },
    payment_cancelled: { details: { reason: 'learner' } },
    payment_expired: {},
    payment_provider_failed: {},
    identity_provider_failed: {},
  },
};

export const createIntent: OperationDocs<CreateIntentRequest, IntentResponse> = {
  operationId: 'createIntent',
  description:
    'An account has at most one open intent; it is handed out again until it is paid or the price has changed. An account that has withdrawn from a purchase once has to agree that the service starts at once: without `consent_version` it gets `consent_required`. By default 5 can be begun within an hour, and none after 5 refused cards.',
  examples: {
    opened: {
      summary: '30 more days for 149.00 NOK',
      body: { consent_version: 'no-2026-11' },
      answer: OPENED,
    },
    without_consent: { summary: 'The body may be left out', answer: OPENED },
  },
  errors: {
    rate_limited: { details: { retry_after_s: 3600 } },
    service_free: {},
    payment_cancelled: {},
    consent_required: { details: { field: 'consent_version' } },
    payment_provider_failed: {},
  },
};

export const confirmPayment: OperationDocs<ConfirmRequest, ConfirmResponse | NotYetResponse> = {
  operationId: 'confirmPayment',
  description: 'Amount, currency and state are read from Stripe, never taken from the caller.',
  examples: {
    extended: {
      summary: '30 days more for an account that had 12 left',
      body: { payment_intent_id: PAYMENT_INTENT_ID },
      answer: {
        account: {
          registered_at: REGISTERED_AT,
          service_expires_at: '2026-03-28T08:30:00.000Z',
          is_active: true,
        },
        days_remaining: 42,
        waiting_days: [],
      },
    },
    processing: {
      summary: 'The bank is still working on it: ask again in some seconds',
      body: { payment_intent_id: PAYMENT_INTENT_ID },
      status: 202,
      answer: { status: 'processing' },
    },
  },
  errors: {
    payment_not_found: {},
    payment_not_completed: { details: { status: 'requires_payment_method' } },
    payment_declined: { details: { decline_code: 'generic_decline' } },
    payment_cancelled: { details: { reason: 'learner' } },
    payment_expired: {},
    payment_mismatch: {
      error: 'Another amount was paid than was asked for. Do not pay again; write to us.',
      details: { reason: 'amount' },
    },
    payment_provider_failed: {},
  },
};

export const cancelPayment: OperationDocs<CancelPaymentRequest, Static<typeof Ok>> = {
  operationId: 'cancelPayment',
  description:
    'For a learner who does not want to pay after all. The client secret shows that the payment is theirs; a registration is not signed in.',
  examples: {
    cancelled: {
      summary: 'A payment that nobody has made',
      body: { payment_intent_id: PAYMENT_INTENT_ID, client_secret: CLIENT_SECRET },
      answer: { ok: true },
    },
  },
  errors: { payment_not_found: {}, payment_completed: {}, payment_provider_failed: {} },
};

export const searchPayments: OperationDocs<SearchPaymentsRequest, Static<typeof Ok>> = {
  operationId: 'searchPayments',
  description:
    'For somebody who has paid and cannot get in. What was paid and not settled is settled, and what was found comes by mail. The answer is the same whether or not the address is known. At most 5 an hour for an address, and 20 from where the call comes from.',
  examples: {
    asked: {
      summary: 'The payments of an address',
      body: { email: DEMO_EMAIL, language: 'no' },
      status: 202,
      answer: { ok: true },
    },
  },
  errors: { rate_limited: { details: { retry_after_s: 3600 } } },
};

export const receiveStripeEvent: OperationDocs<object, Static<typeof WebhookResponse>> = {
  operationId: 'receiveStripeEvent',
  description:
    'Called by Stripe. The signature is over the bytes as they came and may be five minutes old. An event that comes again is stored once; a body that is signed and is no event is refused. A worker then reads the truth from Stripe.',
  examples: {
    succeeded: {
      summary: 'A payment has succeeded',
      headers: {
        'stripe-signature': 't=1768465800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e',
      },
      body: {
        id: 'evt_1QxEksempel0001',
        object: 'event',
        type: 'payment_intent.succeeded',
        data: { object: { id: PAYMENT_INTENT_ID, object: 'payment_intent' } },
      },
      answer: { received: true },
    },
  },
  errors: { signature_invalid: {}, validation_failed: { details: { reason: 'not_an_event' } } },
};

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
  description: 'The newest first. Days that were given without a payment are not among them.',
  examples: {
    bought: {
      summary: 'One purchase, made yesterday',
      answer: { payments: [BOUGHT], under_way: null },
    },
    nothing: { summary: 'Nothing was paid yet', answer: { payments: [], under_way: null } },
    under_way: {
      summary: 'The bank is not done with the first payment',
      answer: {
        payments: [],
        under_way: { payment_intent_id: PAYMENT_INTENT_ID, status: 'processing' },
      },
    },
  },
};

export const readReceipt: OperationDocs<never, ReceiptResponse> = {
  operationId: 'readReceipt',
  description: "What the receipt says stays, whatever becomes of the price and the seller's name.",
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
      summary: 'The learner has withdrawn, and the money is not paid back yet',
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
    'Within 14 days. Who asked for the service to start at once gets the amount back less what the used days cost. The body names the amount that the learner agreed to. The access ends as soon as Stripe has made the refund, and a mail confirms it.',
  examples: {
    withdrawn: {
      summary: 'A purchase of which no whole day is used',
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
