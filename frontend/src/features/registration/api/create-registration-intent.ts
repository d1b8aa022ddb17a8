import type {
  CreateRegistrationIntentRequest,
  IntentResponse,
} from '@proveklar/gateway/contract/payment.ts';
import { api } from '#lib/api-client.ts';

/** Starts the payment of a registration. Sent again with the same key, it returns the same one. */
export function createRegistrationIntent(
  body: CreateRegistrationIntentRequest,
  idempotencyKey: string,
): Promise<IntentResponse> {
  return api('/payment/create-registration-intent', {
    method: 'POST',
    body,
    headers: { 'idempotency-key': idempotencyKey },
  });
}
