import type { PurchasesResponse } from '@proveklar/contract/payment.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { purchaseKeys } from '../keys.ts';

export const purchasesQuery = queryOptions({
  queryKey: purchaseKeys.list(),
  queryFn: ({ signal }) => api<PurchasesResponse>('/account/payments', { signedIn: true, signal }),
  // Nothing tells that a bank has begun to process a payment: who looks again, asks again.
  staleTime: 0,
});
