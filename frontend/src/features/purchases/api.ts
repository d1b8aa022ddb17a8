import type {
  PurchasesResponse,
  ReceiptResponse,
  RefundResponse,
  WithdrawRequest,
} from '@proveklar/contract/payment.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';

export const purchaseKeys = {
  all: ['purchases'] as const,
  list: () => [...purchaseKeys.all, 'list'] as const,
  receipt: (id: string) => [...purchaseKeys.all, 'receipt', id] as const,
};

export const purchasesQuery = queryOptions({
  queryKey: purchaseKeys.list(),
  queryFn: ({ signal }) => api<PurchasesResponse>('/account/payments', { signedIn: true, signal }),
  // Always read again, because no live update says that a bank has started processing a payment.
  staleTime: 0,
});

export const receiptQuery = (id: string) =>
  queryOptions({
    queryKey: purchaseKeys.receipt(id),
    queryFn: ({ signal }) =>
      api<ReceiptResponse>(`/account/payments/${encodeURIComponent(id)}`, {
        signedIn: true,
        signal,
      }),
  });

/** Withdraws from a purchase. Safe to retry. */
export function withdraw(id: string, body: WithdrawRequest): Promise<RefundResponse> {
  return api(`/account/payments/${id}/withdraw`, { method: 'POST', signedIn: true, body });
}
