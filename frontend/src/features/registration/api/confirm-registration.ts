import type {
  ConfirmRegistrationRequest,
  ConfirmRegistrationResponse,
  NotYetResponse,
} from '@proveklar/contract/payment.ts';
import { api } from '#lib/api-client.ts';

/** Makes the account of a paid (or free) registration. Safe to send again. */
export function confirmRegistration(
  body: ConfirmRegistrationRequest,
): Promise<ConfirmRegistrationResponse | NotYetResponse> {
  return api('/payment/confirm-registration', { method: 'POST', body });
}
