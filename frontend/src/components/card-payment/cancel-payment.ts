import type { IntentResponse } from '@proveklar/contract/payment.ts';
import { api } from '#lib/api-client.ts';
import { ApiError } from '#lib/api-error.ts';
import { forgetPayment } from '#lib/payment-keys.ts';

/** `completed`: paid already, or being paid, and so it goes on. `unknown`: no answer says so. */
export type Cancellation = 'cancelled' | 'completed' | 'unknown';

/**
 * Cancels what was begun, when it is left for good. Where that fails the payment is left
 * alone: it is not paid, and the server gives it up after a day.
 */
export async function cancelPayment({
  payment_intent_id,
  client_secret,
}: IntentResponse): Promise<Cancellation> {
  try {
    await api('/payment/cancel', { method: 'POST', body: { payment_intent_id, client_secret } });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'payment_completed') return 'completed';
    // Not cancelled, as far as is known: who begins again is given the same one, not a second.
    if (!(error instanceof ApiError && error.code === 'payment_not_found')) return 'unknown';
  }
  forgetPayment();
  return 'cancelled';
}
