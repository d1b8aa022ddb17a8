import type { IntentResponse } from '@proveklar/contract/payment.ts';
import { api } from '#lib/api-client.ts';
import { ApiError } from '#lib/api-error.ts';
import { forgetPayment } from '#lib/payment-keys.ts';

/** `completed`: already paid, or being paid. `unknown`: there was no clear answer. */
export type Cancellation = 'cancelled' | 'completed' | 'unknown';

/**
 * Cancels a payment that the user has left for good. If that fails, the payment stays open, unpaid, and
 * the server cancels it as abandoned after a day.
 */
export async function cancelPayment({
  payment_intent_id,
  client_secret,
}: Pick<IntentResponse, 'payment_intent_id' | 'client_secret'>): Promise<Cancellation> {
  try {
    await api('/payment/cancel', { method: 'POST', body: { payment_intent_id, client_secret } });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'payment_completed') return 'completed';
    // It may not be cancelled, so the next start gets the same payment, not a second one.
    if (!(error instanceof ApiError && error.code === 'payment_not_found')) return 'unknown';
  }
  forgetPayment();
  return 'cancelled';
}
