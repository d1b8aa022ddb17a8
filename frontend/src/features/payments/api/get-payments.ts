import type { PaymentsResponse } from '@proveklar/contract/admin-payments.ts';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { paymentsKeys } from '../keys.ts';
import type { PaymentsSearch } from '../search.ts';

/** Payments, the newest first, 50 at a time. */
export function paymentsQuery(wish: PaymentsSearch) {
  return infiniteQueryOptions({
    queryKey: paymentsKeys.list(wish),
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams();
      if (wish.status) query.set('status', wish.status);
      if (wish.attention) query.set('attention', 'true');
      if (wish.search) query.set('search', wish.search);
      if (pageParam) query.set('before', pageParam);
      const path = `/admin/payments?${query.toString()}`;
      return api<PaymentsResponse>(path, { signedIn: true, signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ next_before }) => next_before,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}
