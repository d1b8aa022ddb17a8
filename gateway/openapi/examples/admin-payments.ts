import type {
  Grant,
  GrantAudience,
  GrantRequest,
  PaymentDetails,
  PaymentRefund,
  PaymentsResponse,
  PaymentSummary,
  Reconciliation,
  ReconciliationRequest,
  RefundRequest,
} from '@proveklar/contract/admin-payments.ts';
import type { OperationDocs } from './operation.ts';
import { DEMO_UID } from './users.ts';
import { ADMIN_EMAIL, DEMO_EMAIL, PAYMENT_INTENT_ID } from './values.ts';

export const PAYMENT_ID = '019bc0e1-6b30-7d52-8f14-2c9a7e5b0d43';
export const LATER_PAYMENT_ID = '019bc0e4-9f02-7a61-b3d8-5e1c4a7f2b90';
export const RECONCILIATION_ID = '019bc0f5-1d77-7c08-a2e6-4b8f9d3c6a51';
/** Sent by the client; it becomes the id of the refund. */
export const REFUND_ID = '6d1f0a52-8c37-4e9b-b2a4-7f3e5c9d1086';
const GRANT_KEY = 'c4e8a1b7-2f95-4d60-9b13-8a7d5e2c0f64';
const PATH = { id: PAYMENT_ID };
const PAID_AT = '2026-01-16T17:05:00.000Z';

const LISTED: PaymentsResponse['payments'][number] = {
  id: PAYMENT_ID,
  created_at: '2026-01-16T17:04:00.000Z',
  paid_at: PAID_AT,
  email: DEMO_EMAIL,
  purpose: 'extension',
  organisation: null,
  amount: 14900,
  days: 30,
  status: 'settled',
  refunded: 0,
  dispute: null,
  attention: null,
  receipt_number: 1,
  declines: 0,
  payment_intent_id: PAYMENT_INTENT_ID,
};

const DETAILS: PaymentDetails = {
  ...LISTED,
  username: null,
  uid: DEMO_UID,
  intent_status: 'succeeded',
  stripe_url: `https://dashboard.stripe.com/test/payments/${PAYMENT_INTENT_ID}`,
  consent: { version: 'no-2026-11', at: '2026-01-16T17:04:00.000Z' },
  cancelled_at: null,
  cancel_reason: null,
  refundable: 14900,
  packet: null,
  credit: {
    days: 30,
    taken_back: 0,
    starts_at: '2026-01-28T17:05:00.000Z',
    ends_at: '2026-02-27T17:05:00.000Z',
  },
  receipt: { number: 1, issued_at: PAID_AT, amount: 14900, vat: 0 },
  refunds: [],
  disputes: [],
  refusals: [],
  events: [],
};

const RUN: Reconciliation = {
  id: RECONCILIATION_ID,
  requested_by: ADMIN_EMAIL,
  since: null,
  state: 'waiting',
  events_missed: 0,
  payments_checked: 0,
  payments_changed: 0,
  unknown_intents: [],
  created_at: '2026-01-20T09:00:00.000Z',
  done_at: null,
};

export const listPayments: OperationDocs<never, PaymentsResponse> = {
  operationId: 'listPayments',
  description: '50 on a page; `before` returns the next page. Filters can be combined.',
  examples: {
    found: {
      summary: "A learner's settled payments before a later one",
      query: {
        status: 'settled',
        purpose: 'extension',
        search: DEMO_EMAIL,
        before: LATER_PAYMENT_ID,
      },
      answer: { payments: [LISTED], next_before: null },
    },
    attention: {
      summary: 'No payment needs attention',
      query: { attention: 'true' },
      answer: { payments: [], next_before: null },
    },
  },
};

export const summarizePayments: OperationDocs<never, PaymentSummary> = {
  operationId: 'summarizePayments',
  description: 'A payment has one status at a time.',
  examples: {
    paid: {
      summary: 'One payment, and no reconciliation yet',
      answer: {
        counts: {
          settled: 1,
          partly_refunded: 0,
          refunded: 0,
          disputed: 0,
          paid_unsettled: 0,
          processing: 0,
          requires_action: 0,
          declined: 0,
          open: 0,
          abandoned: 0,
          cancelled: 0,
        },
        attention: 0,
        reconciliation: null,
        running: null,
      },
    },
  },
};

export const readPayment: OperationDocs<never, PaymentDetails> = {
  operationId: 'readPayment',
  description: 'With the days that it gave, refunds, disputes, and all events of Stripe.',
  examples: { settled: { summary: 'A settled payment', path: PATH, answer: DETAILS } },
  errors: { payment_not_found: {} },
};

export const syncPayment: OperationDocs<never, PaymentDetails> = {
  operationId: 'syncPayment',
  description: 'Reads the payment from Stripe and updates ours to match. Idempotent.',
  examples: { same: { summary: 'Nothing has changed', path: PATH, answer: DETAILS } },
  errors: { payment_not_found: {}, payment_provider_failed: {} },
};

export const refundPayment: OperationDocs<RefundRequest, PaymentRefund> = {
  operationId: 'refundPayment',
  description:
    'A worker makes the refund at Stripe; its state is part of the payment. A proportional share of the ' +
    'days is taken back. The header `Idempotency-Key` is required and becomes the id of the refund: ' +
    'repeating it returns the same refund.',
  examples: {
    part: {
      summary: 'A partial refund',
      path: PATH,
      headers: { 'idempotency-key': REFUND_ID },
      body: { amount: 5000, reason_note: 'Nede i to dager' },
      status: 202,
      answer: {
        id: REFUND_ID,
        amount: 5000,
        reason: 'administrator',
        state: 'requested',
        requested_by: ADMIN_EMAIL,
        failure: null,
        stripe_refund_id: null,
        created_at: '2026-01-20T09:00:00.000Z',
      },
    },
  },
  errors: {
    payment_not_found: {},
    payment_not_refundable: {},
    refund_too_large: { details: { left_ore: 4900 } },
  },
};

export const requestReconciliation: OperationDocs<ReconciliationRequest, Reconciliation> = {
  operationId: 'requestReconciliation',
  description:
    'A worker compares the payments with Stripe: poll the reconciliation for its progress.',
  examples: {
    missed: { summary: 'Fetch missed events', body: {}, status: 202, answer: RUN },
  },
};

export const readReconciliation: OperationDocs<never, Reconciliation> = {
  operationId: 'readReconciliation',
  description: 'Scheduled reconciliations that found nothing are deleted after a day.',
  examples: {
    waiting: { summary: 'It has not started', path: { id: RECONCILIATION_ID }, answer: RUN },
  },
  errors: { not_found: {} },
};

export const countGrantAudience: OperationDocs<never, GrantAudience> = {
  operationId: 'countGrantAudience',
  description: 'Accounts that are neither disabled nor deleted, and whose service has not ended.',
  examples: { one: { summary: 'One account', answer: { accounts: 1 } } },
};

export const grantDays: OperationDocs<GrantRequest, Grant> = {
  operationId: 'grantDays',
  description:
    'Atomic: all accounts get the days, or none. The header `Idempotency-Key` is required: repeating it ' +
    'returns the first grant.',
  examples: {
    account: {
      summary: 'A week for a learner',
      headers: { 'idempotency-key': GRANT_KEY },
      body: { audience: 'account', uid: DEMO_UID, days: 7, note: 'Nede i to dager' },
      answer: {
        id: '019bc0f6-7a20-7e34-9c81-0d5b2f8e6a17',
        audience: 'account',
        days: 7,
        note: 'Nede i to dager',
        accounts: 1,
        created_by: ADMIN_EMAIL,
        created_at: '2026-01-20T09:00:00.000Z',
      },
    },
    active: {
      summary: 'Two days for all active accounts',
      headers: { 'idempotency-key': GRANT_KEY },
      body: { audience: 'active', days: 2, note: 'Nede i to dager' },
      answer: {
        id: '019bc0f6-7a20-7e34-9c81-0d5b2f8e6a17',
        audience: 'active',
        days: 2,
        note: 'Nede i to dager',
        accounts: 1,
        created_by: ADMIN_EMAIL,
        created_at: '2026-01-20T09:00:00.000Z',
      },
    },
  },
  errors: { user_not_found: {}, identity_provider_failed: {} },
};
