import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  CreatePacketIntentRequest,
  PacketIntentResponse,
  PacketRequest,
  PacketResponse,
  RefundPacketRequest,
} from '@proveklar/contract/codes.ts';
import { Ok, withErrors } from '@proveklar/contract/common.ts';
import { IdempotencyHeaders, RefundResponse } from '@proveklar/contract/payment.ts';
import {
  forgetKeptCodes,
  type Packet,
  readPacket,
  refundUnused,
} from '@proveklar/services/payments/codes/buyer.ts';
import { createPacketIntent } from '@proveklar/services/payments/create-intent.ts';
import type { Payment } from '@proveklar/services/payments/payment.ts';
import * as docs from '#openapi/examples/code-packets.ts';
import { toRefundBody } from './account-payments.ts';

/** Packets of codes for schools and employers. The buyer needs no account: the key of a packet leads to it. */
export const codePacketsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/create-intent',
    {
      config: { access: 'public', docs: docs.createPacketIntent },
      schema: {
        tags: ['payment'],
        summary: 'Start the payment of a packet of codes',
        headers: IdempotencyHeaders,
        body: CreatePacketIntentRequest,
        response: withErrors({ 200: PacketIntentResponse }),
      },
    },
    async ({ body, headers, clientAddress }) => {
      const { organisation_number: organisationNumber = null, ...packet } = body;
      const { packetKey, ...intent } = await createPacketIntent(app.deps, {
        ...packet,
        organisationNumber,
        clientAddress,
        clientKey: headers['idempotency-key'],
      });
      return { ...intent, packet_key: packetKey };
    },
  );

  app.post(
    '/read',
    {
      config: { access: 'public', docs: docs.readPacket },
      schema: {
        tags: ['payment'],
        summary: 'A packet of codes, for its buyer',
        body: PacketRequest,
        response: withErrors({ 200: PacketResponse }),
      },
    },
    async ({ body }) => toBody(await readPacket(app.deps, body.key)),
  );

  app.post(
    '/keep',
    {
      config: { access: 'public', docs: docs.keepCodes },
      schema: {
        tags: ['payment'],
        summary: 'Confirm that the codes of a packet are kept (idempotent)',
        body: PacketRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async ({ body }) => {
      await forgetKeptCodes(app.deps, body.key);
      return { ok: true as const };
    },
  );

  app.post(
    '/refund',
    {
      config: { access: 'public', docs: docs.refundPacket },
      schema: {
        tags: ['payment'],
        summary: 'Withdraw the unused codes of a packet and refund them (idempotent)',
        body: RefundPacketRequest,
        response: withErrors({ 200: RefundResponse }),
      },
    },
    async ({ body }) => toRefundBody(await refundUnused(app.deps, body.key, body.refund_amount)),
  );
};

function toBody({ payment, receipt, refundable, ...packet }: Packet): PacketResponse {
  return {
    status: statusOf(payment),
    organisation: packet.organisation,
    organisation_number: packet.organisation_number,
    email: payment.email,
    codes: packet.codes,
    used: packet.used,
    unused: packet.unused,
    withdrawn: packet.withdrawn,
    amount: payment.amount_ore,
    refunded: payment.refunded_ore,
    service_days: payment.service_days,
    paid_at: payment.settled_at?.toISOString() ?? null,
    expires_at: packet.expires_at?.toISOString() ?? null,
    kept_codes: packet.kept_back,
    refundable: refundable && {
      until: refundable.until.toISOString(),
      refund_amount: refundable.ore,
    },
    refunds: packet.refunds.map(toRefundBody),
    disputed: payment.dispute === 'open' || payment.dispute === 'lost',
    receipt: receipt && {
      number: receipt.number,
      issued_at: receipt.issued_at.toISOString(),
      vat: receipt.vat_ore,
      vat_percent: receipt.vat_percent,
      seller: {
        name: receipt.seller_name,
        organisation_number: receipt.seller_organisation_number,
        address: receipt.seller_address,
      },
    },
  };
}

function statusOf({ state, intent_status: status }: Payment): PacketResponse['status'] {
  if (state === 'settled') return 'settled';
  if (state === 'cancelled') return 'over';
  if (status === 'succeeded') return 'needs_help';
  if (status === 'processing') return 'processing';
  return status === 'requires_action' ? 'requires_action' : 'unpaid';
}
