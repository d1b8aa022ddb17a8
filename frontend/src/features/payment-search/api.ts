import type { SearchPaymentsRequest } from '@proveklar/contract/payment.ts';
import { api } from '#lib/api-client.ts';

/** Asks for the payments of an address to be looked for. What is found comes by mail. */
export function searchPayments(body: SearchPaymentsRequest): Promise<{ ok: true }> {
  return api('/payment/search', { method: 'POST', body });
}
