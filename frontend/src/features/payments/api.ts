import type {
  PaymentDetails,
  PaymentRefund,
  PaymentsResponse,
  PaymentSummary,
  Reconciliation,
  ReconciliationRequest,
  RefundRequest,
} from '@proveklar/contract/admin-payments.ts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import type { PaymentsSearch } from './search.ts';

/**
 * The live topic `payments` makes everything below `all` out of date, and the summary, which counts
 * all payments, at most once in five seconds.
 */
export const paymentsKeys = {
  all: ['admin', 'payments'] as const,
  list: (wish: PaymentsSearch) => [...paymentsKeys.all, 'list', wish] as const,
  summary: () => ['admin', 'payments-summary'] as const,
  one: (id: string) => [...paymentsKeys.all, 'one', id] as const,
  run: (id: string) => [...paymentsKeys.all, 'run', id] as const,
};

const path = (id: string) => `/admin/payments/${encodeURIComponent(id)}`;

/** Everything that is known of a payment. */
export function paymentQuery(id: string) {
  return queryOptions({
    queryKey: paymentsKeys.one(id),
    queryFn: ({ signal }) => api<PaymentDetails>(path(id), { signedIn: true, signal }),
    staleTime: 0,
  });
}

/** Compares it with Stripe now. */
export function syncPayment(id: string): Promise<PaymentDetails> {
  return api(`${path(id)}/sync`, { method: 'POST', signedIn: true });
}

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

/** Live updates come earlier; this is for when none comes. */
const POLL_MS = 5_000;

/** How many payments there are of each kind, and the last comparison with Stripe. */
export const summaryQuery = queryOptions({
  queryKey: paymentsKeys.summary(),
  queryFn: ({ signal }) =>
    api<PaymentSummary>('/admin/payments/summary', { signedIn: true, signal }),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.running ? POLL_MS : false),
});

const PATH = '/admin/payments/reconciliations';

/** Asks for a comparison with Stripe. */
export function requestReconciliation(body: ReconciliationRequest): Promise<Reconciliation> {
  return api(PATH, { method: 'POST', body, signedIn: true });
}

/** How far a comparison has come. */
export function reconciliationQuery(id: string) {
  return queryOptions({
    queryKey: paymentsKeys.run(id),
    queryFn: ({ signal }) => api<Reconciliation>(`${PATH}/${id}`, { signedIn: true, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : POLL_MS),
  });
}

type RefundOrder = {
  id: string;
  /** The same order sent again under the same key is made once. */
  key: string;
  body: RefundRequest;
};

/** Orders money to be paid back. */
export function refundPayment({ id, key, body }: RefundOrder): Promise<PaymentRefund> {
  return api(`/admin/payments/${encodeURIComponent(id)}/refund`, {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body,
    signedIn: true,
  });
}
