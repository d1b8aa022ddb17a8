import type {
  ConfirmRequest,
  ConfirmResponse,
  NotYetResponse,
} from '@proveklar/contract/payment.ts';
import { api } from '#lib/api-client.ts';

/** Turns a payment that went through into service days. Safe to send again. */
export function confirmPayment(body: ConfirmRequest): Promise<ConfirmResponse | NotYetResponse> {
  return api('/payment/confirm', { method: 'POST', signedIn: true, body });
}
