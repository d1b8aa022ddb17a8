import { type Static, Type } from 'typebox';
import { Closed, Email, Language, Ore, OrNull, Timestamp } from './common.ts';
import {
  AccessCode,
  IntentResponse,
  ReceiptResponse,
  RefundResponse,
  WithdrawRequest,
} from './payment.ts';

// Codes for schools and employers: buying a packet, its page for the buyer, and redeeming a code.

export const MIN_CODES = 5;
export const MAX_CODES = 100;
/** Characters of an organisation's name. */
export const MAX_ORGANISATION_LENGTH = 200;

const CodeCount = Type.Integer({ minimum: MIN_CODES, maximum: MAX_CODES });
const OrganisationNumber = Type.String({
  pattern: '^\\d{9}$',
  description: 'Of Enhetsregisteret: nine digits, the last one a check digit (modulus 11).',
});

export const CreatePacketIntentRequest = Closed({
  email: Email,
  organisation: Type.String({
    minLength: 1,
    maxLength: MAX_ORGANISATION_LENGTH,
    pattern: '\\S',
    description: 'Who buys, as on the receipt.',
  }),
  organisation_number: Type.Optional(OrganisationNumber),
  codes: CodeCount,
  language: Type.Optional(
    Type.Union(Language.anyOf, { description: 'The language of mails to the buyer; default no.' }),
  ),
});
export type CreatePacketIntentRequest = Static<typeof CreatePacketIntentRequest>;

const PacketKey = Type.String({
  minLength: 38,
  maxLength: 200,
  description: "The secret key to the packet's page. The buyer also has it by mail, in a link.",
});

export const PacketIntentResponse = Closed({
  ...IntentResponse.properties,
  packet_key: PacketKey,
});
export type PacketIntentResponse = Static<typeof PacketIntentResponse>;

/** In the body, because addresses are logged. */
export const PacketRequest = Closed({ key: PacketKey });
export type PacketRequest = Static<typeof PacketRequest>;

const Count = Type.Integer({ minimum: 0 });

export const PacketResponse = Closed({
  status: Type.Enum(['unpaid', 'processing', 'requires_action', 'settled', 'over', 'needs_help'], {
    description:
      '`unpaid`: nothing was charged, and the payment can be tried again; `over`: it was cancelled, and nothing was charged; `needs_help`: paid, and we must look at it.',
  }),
  organisation: Type.String(),
  organisation_number: OrNull(Type.String()),
  email: OrNull(Type.String(), "The buyer's address; null when it was removed."),
  codes: Type.Integer({ minimum: 1, description: 'Codes that were bought.' }),
  used: Count,
  unused: Count,
  withdrawn: Type.Integer({ minimum: 0, description: 'By a refund, or a dispute with the bank.' }),
  amount: Ore('Øre, including VAT.'),
  refunded: Ore('Øre that were refunded, or are being refunded by Stripe.'),
  service_days: Type.Integer({ minimum: 1, description: 'Days that each code gives.' }),
  paid_at: OrNull(Timestamp),
  expires_at: OrNull(Timestamp, 'Until when the codes can be redeemed: 12 months.'),
  kept_codes: OrNull(
    Type.Array(Type.String()),
    'The codes, until the buyer confirms with `/packets/keep` to have kept them, at most for 14 days. Then only their hashes are stored.',
  ),
  refundable: OrNull(
    Closed({
      until: Timestamp,
      refund_amount: Type.Integer({
        minimum: 1,
        description: 'Øre: the refund of the unused codes.',
      }),
    }),
    'Null when nothing is unused, or the 14 days are over.',
  ),
  refunds: Type.Array(RefundResponse, { description: 'Newest first.' }),
  disputed: Type.Boolean({
    description: 'A dispute with the bank is open or lost: the unused codes are withdrawn.',
  }),
  receipt: OrNull(
    Closed({
      number: Type.Integer({ minimum: 1 }),
      issued_at: Timestamp,
      vat: Ore('Øre; the part of the amount that is VAT.'),
      vat_percent: ReceiptResponse.properties.vat_percent,
      seller: ReceiptResponse.properties.seller,
    }),
    'Null until it is paid.',
  ),
});
export type PacketResponse = Static<typeof PacketResponse>;

/** The amount that the buyer was shown and agreed to. */
export const RefundPacketRequest = Closed({
  key: PacketKey,
  refund_amount: WithdrawRequest.properties.refund_amount,
});
export type RefundPacketRequest = Static<typeof RefundPacketRequest>;

export const RedeemCodeRequest = Closed({ code: AccessCode });
export type RedeemCodeRequest = Static<typeof RedeemCodeRequest>;
