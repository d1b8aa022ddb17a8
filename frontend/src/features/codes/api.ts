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
import { ApiError } from '#lib/api-error.ts';
import { newPaymentKey, paymentKey } from '#lib/payment-keys.ts';

/** Errors after which the key's payment can no longer be paid, so a new one must be started. */
const CLOSED_CODES = new Set(['payment_cancelled', 'payment_expired']);

/** Starts the payment of a packet. Repeated with the same content, it returns the same payment. */
export async function createPacketIntent(
  body: CreatePacketIntentRequest,
): Promise<PacketIntentResponse> {
  const { language: _language, ...content } = body;
  const key = await paymentKey(content);
  const send = (idempotencyKey: string) =>
    api<PacketIntentResponse>('/packets/create-intent', {
      method: 'POST',
      body,
      headers: { 'idempotency-key': idempotencyKey },
    });
  try {
    return await send(key);
  } catch (error) {
    if (!(error instanceof ApiError && CLOSED_CODES.has(error.code))) throw error;
    return send(await newPaymentKey(content, key));
  }
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
