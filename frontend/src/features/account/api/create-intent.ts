import type { IntentResponse } from '@proveklar/gateway/contract/payment.ts';
import { api } from '#lib/api-client.ts';

/** Starts, or takes up again, the payment that extends the signed-in account. */
export function createIntent(idempotencyKey: string): Promise<IntentResponse> {
  return api('/payment/create-intent', {
    method: 'POST',
    signedIn: true,
    headers: { 'idempotency-key': idempotencyKey },
  });
}
