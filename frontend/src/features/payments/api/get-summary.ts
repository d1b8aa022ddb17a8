import type { PaymentSummary } from '@proveklar/contract/admin-payments.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { paymentsKeys } from '../keys.ts';

/** In milliseconds: the end is told live; this is for when nobody tells. */
const LOOK_AGAIN = 5_000;

/** How many payments there are of each kind, and the last comparison with Stripe. */
export const summaryQuery = queryOptions({
  queryKey: paymentsKeys.summary(),
  queryFn: ({ signal }) =>
    api<PaymentSummary>('/admin/payments/summary', { signedIn: true, signal }),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.running ? LOOK_AGAIN : false),
});
