import type { IntentResponse } from '@proveklar/gateway/contract/payment.ts';
import { api } from '#lib/api-client.ts';
import { ApiError } from '#lib/api-error.ts';
import { forgetPayment } from '#lib/payment-keys.ts';

/**
 * Cancels what was begun, for somebody who leaves it for good. Where that fails the payment is left
 * alone: nobody pays it, and the server gives it up after a day.
 *
 * @returns false when it is paid already, or being paid, and so goes on
 */
export async function cancelPayment({
  payment_intent_id,
  client_secret,
}: IntentResponse): Promise<boolean> {
  try {
    await api('/payment/cancel', { method: 'POST', body: { payment_intent_id, client_secret } });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'payment_completed') return false;
    // Not cancelled, as far as is known: who begins again is given the same one, not a second.
    if (!(error instanceof ApiError && error.code === 'payment_not_found')) return true;
  }
  forgetPayment();
  return true;
}
