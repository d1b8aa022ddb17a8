import type { CreateIntentRequest, IntentResponse } from '@proveklar/contract/payment.ts';
import { api } from '#lib/api-client.ts';

/** Starts the payment that extends the signed-in account; it has one open at a time, also in two tabs. */
export function createIntent(body: NonNullable<CreateIntentRequest>): Promise<IntentResponse> {
  return api('/payment/create-intent', { method: 'POST', signedIn: true, body });
}
