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
  PaymentStatusRequest,
  PaymentStatusResponse,
  SearchPaymentsRequest,
  WebhookResponse,
} from '@proveklar/contract/payment.ts';
import type { OperationDocs } from './operation.ts';
import {
  ACCESS_CODE,
  CLIENT_SECRET,
  DEMO_EMAIL,
  DEMO_NAME,
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
    'Creates a PaymentIntent with fixed price and days; the browser confirms it with Stripe and then calls `confirm-registration`. The response is the same for an address that has an account: the payment then extends it. Calls with the same `Idempotency-Key`, address and name return the same intent, and do not count for the limit. By default the limit is 60 an hour per client address (IPv6 addresses count by their /56), and 5 of them per e-mail address; `details.retry_after_s` and `Retry-After` say how long to wait. A `password` is only validated, so that the caller learns before paying what `confirm-registration` would refuse. `details.reason` is `short`, `long`, `common`, `personal` (contains the name or the address) or `policy` (`details.kinds` are missing).',
  examples: {
    paid: {
      summary: 'A registration for NOK 149',
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
      summary: 'The service is free: nothing to pay',
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
    payments_closed: {},
    payment_provider_failed: {},
  },
};

/** The account of a new learner. */
const REGISTERED = {
  account: {
    registered_at: REGISTERED_AT,
    service_expires_at: '2026-02-14T08:30:00.000Z',
    is_active: true,
  },
  days_remaining: 30,
  waiting_days: [],
  account_existed: false,
  password_mailed: false,
};

export const confirmRegistration: OperationDocs<
  ConfirmRegistrationRequest,
  ConfirmRegistrationResponse | NotYetResponse
> = {
  operationId: 'confirmRegistration',
  description:
    'Settles the payment and creates the account, exactly once however often it is called. A `code` for schools and employers takes the place of the payment. Without a code, `payment_intent_id` may be left out only while the service is free. Calls without a payment have the rate limit of payments, but a code that can be used does not count for the client address.',
  examples: {
    paid: {
      summary: 'A paid registration',
      body: {
        payment_intent_id: PAYMENT_INTENT_ID,
        email: DEMO_EMAIL,
        password: 'et godt passord',
        username: DEMO_NAME,
      },
      answer: REGISTERED,
    },
    with_code: {
      summary: 'A registration with a code',
      body: {
        code: ACCESS_CODE,
        email: DEMO_EMAIL,
        password: 'et godt passord',
        username: DEMO_NAME,
      },
      answer: REGISTERED,
    },
    reclaimed: {
      summary: 'Paid, for the address of an unverified user without days',
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
      summary: 'The bank is still processing it: retry in some seconds',
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
    code_unknown: {},
    code_used: {},
    code_expired: {},
    code_withdrawn: {},
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
    'An account has at most one open intent; it is returned again until it is paid or the price changes. An account that has withdrawn from a purchase before must consent that the service starts at once: without `consent_version` it gets `consent_required`. By default the limit is 5 an hour, and none after 5 declined cards.',
  examples: {
    opened: {
      summary: '30 more days for NOK 149',
      body: { consent_version: 'no-2026-11' },
      answer: OPENED,
    },
    without_consent: { summary: 'The body may be left out', answer: OPENED },
  },
  errors: {
    rate_limited: { details: { retry_after_s: 3600 } },
    service_free: {},
    payments_closed: {},
    payment_cancelled: {},
    consent_required: { details: { field: 'consent_version' } },
    payment_provider_failed: {},
  },
};

export const confirmPayment: OperationDocs<ConfirmRequest, ConfirmResponse | NotYetResponse> = {
  operationId: 'confirmPayment',
  description: 'Amount, currency and state are read from Stripe, never from the request.',
  examples: {
    extended: {
      summary: '30 more days for an account with 12 left',
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
      summary: 'The bank is still processing it: retry in some seconds',
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
    'For a learner who changes their mind before paying. The client secret proves that the payment is theirs, because a registration has no signed-in user.',
  examples: {
    cancelled: {
      summary: 'An unpaid payment',
      body: { payment_intent_id: PAYMENT_INTENT_ID, client_secret: CLIENT_SECRET },
      answer: { ok: true },
    },
  },
  errors: { payment_not_found: {}, payment_completed: {}, payment_provider_failed: {} },
};

const STATUS: PaymentStatusResponse = {
  purpose: 'registration',
  status: 'paid',
  amount: 14900,
  service_days: 30,
  packet_key: null,
  registration: { email: DEMO_EMAIL, username: DEMO_NAME, needs_password: true },
};

export const readPaymentStatus: OperationDocs<PaymentStatusRequest, PaymentStatusResponse> = {
  operationId: 'readPaymentStatus',
  description:
    'For a person who returns from the page of a bank or wallet, on any device: the address of the return has both fields, and the client secret proves that the payment is theirs. An extension that was paid is settled. A registration waits for `confirm-registration` with a password, also after the webhook has created its account (`needs_password`). A day after the payment was started, whose it is is not told any more.',
  examples: {
    paid: {
      summary: 'A registration was paid and waits for its password',
      body: { payment_intent_id: PAYMENT_INTENT_ID, client_secret: CLIENT_SECRET },
      answer: STATUS,
    },
    refused: {
      summary: 'The customer said no: nothing was charged',
      body: { payment_intent_id: PAYMENT_INTENT_ID, client_secret: CLIENT_SECRET },
      answer: {
        ...STATUS,
        status: 'unpaid',
        registration: { ...STATUS.registration!, needs_password: false },
      },
    },
    extended: {
      summary: '30 more days',
      body: { payment_intent_id: PAYMENT_INTENT_ID, client_secret: CLIENT_SECRET },
      answer: { ...STATUS, purpose: 'extension', status: 'settled', registration: null },
    },
  },
  errors: { payment_not_found: {}, payment_provider_failed: {} },
};

export const searchPayments: OperationDocs<SearchPaymentsRequest, Static<typeof Ok>> = {
  operationId: 'searchPayments',
  description:
    'For users who have paid and have no access. Paid but unsettled payments are settled, and the result is mailed. The response is the same whether or not the address is known. The limit is 5 an hour per e-mail address, and 20 per client address.',
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
    'Called by Stripe. The signature covers the raw body and may be five minutes old. A repeated event is stored once; a signed body that is not an event is rejected. A worker then reads the current state from Stripe.',
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
