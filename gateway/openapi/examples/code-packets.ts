import type {
  CreatePacketIntentRequest,
  PacketIntentResponse,
  PacketRequest,
  PacketResponse,
  RedeemCodeRequest,
  RefundPacketRequest,
} from '@proveklar/contract/codes.ts';
import type { Ok } from '@proveklar/contract/common.ts';
import type { ConfirmResponse, RefundResponse } from '@proveklar/contract/payment.ts';
import type { Static } from 'typebox';
import type { OperationDocs } from './operation.ts';
import {
  ACCESS_CODE,
  CLIENT_SECRET,
  DEMO_EMAIL,
  PACKET_KEY,
  PAYMENT_INTENT_ID,
  REGISTERED_AT,
} from './values.ts';

const BUYER = {
  email: DEMO_EMAIL,
  organisation: 'Voksenopplæringen',
  organisation_number: '923609016',
  codes: 5,
};

const UNPAID: PacketResponse = {
  status: 'unpaid',
  organisation: 'Voksenopplæringen',
  organisation_number: '923609016',
  email: DEMO_EMAIL,
  codes: 5,
  used: 0,
  unused: 0,
  withdrawn: 0,
  amount: 74500,
  refunded: 0,
  service_days: 30,
  paid_at: null,
  expires_at: null,
  kept_codes: null,
  refundable: null,
  refunds: [],
  disputed: false,
  receipt: null,
};

const REFUND: RefundResponse = {
  id: '019bc0df-2c44-7d19-8a05-3f7e6b21d9c0',
  amount: 74500,
  reason: 'withdrawal',
  state: 'requested',
  date: '2026-01-16T09:00:00.000Z',
};

export const createPacketIntent: OperationDocs<CreatePacketIntentRequest, PacketIntentResponse> = {
  operationId: 'createPacketIntent',
  description:
    'Creates a PaymentIntent for a number of codes, each with the current price and days. No account is needed. The browser confirms it with Stripe by card, and then reads the packet with its key; the codes are also mailed to the buyer. Limits and `Idempotency-Key` are those of `create-registration-intent`.',
  examples: {
    five: {
      summary: 'Five codes for NOK 149 each',
      headers: { 'idempotency-key': 'klikk-5b0d77aa' },
      body: BUYER,
      answer: {
        client_secret: CLIENT_SECRET,
        amount: 74500,
        payment_intent_id: PAYMENT_INTENT_ID,
        service_days: 30,
        packet_key: PACKET_KEY,
      },
    },
  },
  errors: {
    service_free: {},
    rate_limited: { details: { retry_after_s: 3600 } },
    payment_cancelled: { details: { reason: 'learner' } },
    payment_expired: {},
    payments_closed: {},
    payment_provider_failed: {},
  },
};

export const readPacket: OperationDocs<PacketRequest, PacketResponse> = {
  operationId: 'readPacket',
  description:
    'How many codes are used and unused; never by whom. Asks Stripe while the payment is open, so that the codes are there as soon as it is paid.',
  examples: {
    unpaid: { summary: 'Not paid yet', body: { key: PACKET_KEY }, answer: UNPAID },
    settled: {
      summary: 'Paid, one code used, and the codes kept',
      body: { key: PACKET_KEY },
      answer: {
        ...UNPAID,
        status: 'settled',
        used: 1,
        unused: 4,
        paid_at: '2026-01-15T08:30:00.000Z',
        expires_at: '2027-01-15T08:30:00.000Z',
        refundable: { until: '2026-01-29T22:59:59.999Z', refund_amount: 59600 },
        receipt: {
          number: 1,
          issued_at: '2026-01-15T08:30:00.000Z',
          vat: 0,
          vat_percent: 0,
          seller: { name: null, organisation_number: null, address: null },
        },
      },
    },
  },
  errors: { packet_not_found: {}, payment_provider_failed: {} },
};

export const keepCodes: OperationDocs<PacketRequest, Static<typeof Ok>> = {
  operationId: 'keepCodes',
  description: 'Deletes the encrypted codes. Their hashes remain, by which they are redeemed.',
  examples: {
    kept: { summary: 'The buyer has kept them', body: { key: PACKET_KEY }, answer: { ok: true } },
  },
  errors: { packet_not_found: {} },
};

export const refundPacket: OperationDocs<RefundPacketRequest, RefundResponse> = {
  operationId: 'refundPacket',
  description:
    'Possible for 14 days. The unused codes cannot be redeemed from then on; used ones keep their days.',
  examples: {
    all: {
      summary: 'No code was used',
      body: { key: PACKET_KEY, refund_amount: 74500 },
      answer: REFUND,
    },
  },
  errors: {
    packet_not_found: {},
    withdrawal_over: {},
    withdrawal_changed: { details: { refund_amount: 59600 } },
    payment_not_refundable: {},
  },
};

export const redeemCode: OperationDocs<RedeemCodeRequest, ConfirmResponse> = {
  operationId: 'redeemCode',
  description:
    'Adds the days of a code for schools and employers. A repeated call with a code that the caller has redeemed changes nothing. By default the limit is 5 an hour per account.',
  examples: {
    redeemed: {
      summary: 'A code for 30 days',
      body: { code: ACCESS_CODE },
      answer: {
        account: {
          registered_at: REGISTERED_AT,
          service_expires_at: '2026-02-14T08:30:00.000Z',
          is_active: true,
        },
        days_remaining: 30,
        waiting_days: [],
      },
    },
  },
  errors: {
    code_unknown: {},
    code_used: {},
    code_expired: {},
    code_withdrawn: {},
    rate_limited: { details: { retry_after_s: 3600 } },
  },
};
