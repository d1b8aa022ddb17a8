import type { RefundResponse, WithdrawRequest } from '@proveklar/contract/payment.ts';
import { api } from '#lib/api-client.ts';

/** Withdraws from a purchase. Safe to send again. */
export function withdraw(id: string, body: WithdrawRequest): Promise<RefundResponse> {
  return api(`/account/payments/${id}/withdraw`, { method: 'POST', signedIn: true, body });
}
