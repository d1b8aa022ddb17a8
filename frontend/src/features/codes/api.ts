import type {
  CreatePacketIntentRequest,
  PacketIntentResponse,
  PacketResponse,
} from '@proveklar/contract/codes.ts';
import type { Ok } from '@proveklar/contract/common.ts';
import type { ConfirmResponse, RefundResponse } from '@proveklar/contract/payment.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import { api } from '#lib/api-client.ts';
import { withPaymentKey } from '#lib/payment-keys.ts';

/** Starts the payment of a packet. Repeated with the same content, it returns the same payment. */
export function createPacketIntent(body: CreatePacketIntentRequest): Promise<PacketIntentResponse> {
  const { language: _language, ...content } = body;
  return withPaymentKey(content, (key) =>
    api<PacketIntentResponse>('/packets/create-intent', {
      method: 'POST',
      body,
      headers: { 'idempotency-key': key },
    }),
  );
}

const MOMENT_MS = 3_000;
const ONCE_SETTLED_MS = 30_000;

/** A packet by its key. It is read again while the bank or a refund is under way, and now and then for its use. */
export const packetQuery = (key: string) =>
  queryOptions({
    queryKey: ['packet', key],
    queryFn: ({ signal }) =>
      api<PacketResponse>('/packets/read', { method: 'POST', body: { key }, signal }),
    enabled: key !== '',
    refetchInterval: ({ state }) => {
      const status = state.data?.status;
      if (status === 'processing' || status === 'requires_action') return MOMENT_MS;
      const refunding = state.data?.refunds.some((refund) => refund.state === 'requested');
      if (refunding) return MOMENT_MS;
      return status === 'settled' ? ONCE_SETTLED_MS : false;
    },
  });

/** Deletes the readable codes. */
export function keepCodes(key: string): Promise<Static<typeof Ok>> {
  return api('/packets/keep', { method: 'POST', body: { key } });
}

/** Withdraws the unused codes and refunds them. Safe to retry. */
export function refundPacket(key: string, refundAmount: number): Promise<RefundResponse> {
  const body = { key, refund_amount: refundAmount };
  return api('/packets/refund', { method: 'POST', body });
}

/** Adds the days of a code to the account. Safe to retry. */
export function redeemCode(code: string): Promise<ConfirmResponse> {
  return api('/account/redeem-code', { method: 'POST', signedIn: true, body: { code } });
}
