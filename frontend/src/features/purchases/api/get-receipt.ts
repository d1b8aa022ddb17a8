import type { ReceiptResponse } from '@proveklar/contract/payment.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { purchaseKeys } from '../keys.ts';

export const receiptQuery = (id: string) =>
  queryOptions({
    queryKey: purchaseKeys.receipt(id),
    queryFn: ({ signal }) =>
      api<ReceiptResponse>(`/account/payments/${encodeURIComponent(id)}`, {
        signedIn: true,
        signal,
      }),
  });
