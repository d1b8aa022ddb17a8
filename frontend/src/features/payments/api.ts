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
 * The live topic `payments` makes everything below `all` stale, and, at most once in five seconds, the
 * summary, which counts all payments.
 */
export const paymentsKeys = {
  all: ['admin', 'payments'] as const,
  list: (search: PaymentsSearch) => [...paymentsKeys.all, 'list', search] as const,
  summary: () => ['admin', 'payments-summary'] as const,
  one: (id: string) => [...paymentsKeys.all, 'one', id] as const,
  run: (id: string) => [...paymentsKeys.all, 'run', id] as const,
};

const path = (id: string) => `/admin/payments/${encodeURIComponent(id)}`;

/** All details of a payment. */
export function paymentQuery(id: string) {
  return queryOptions({
    queryKey: paymentsKeys.one(id),
    queryFn: ({ signal }) => api<PaymentDetails>(path(id), { signedIn: true, signal }),
    staleTime: 0,
  });
}

/** Compares the payment with Stripe now. */
export function syncPayment(id: string): Promise<PaymentDetails> {
  return api(`${path(id)}/sync`, { method: 'POST', signedIn: true });
}

/** Payments, the newest first, 50 at a time. */
export function paymentsQuery(search: PaymentsSearch) {
  return infiniteQueryOptions({
    queryKey: paymentsKeys.list(search),
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams();
      if (search.status) query.set('status', search.status);
      if (search.purpose) query.set('purpose', search.purpose);
      if (search.attention) query.set('attention', 'true');
      if (search.search) query.set('search', search.search);
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

/** A fallback for live updates, which come earlier. */
const POLL_INTERVAL_MS = 5_000;

/** The number of payments of each status, and the last reconciliation. */
export const summaryQuery = queryOptions({
  queryKey: paymentsKeys.summary(),
  queryFn: ({ signal }) =>
    api<PaymentSummary>('/admin/payments/summary', { signedIn: true, signal }),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.running ? POLL_INTERVAL_MS : false),
});

const PATH = '/admin/payments/reconciliations';

/** Requests a reconciliation with Stripe. */
export function requestReconciliation(body: ReconciliationRequest): Promise<Reconciliation> {
  return api(PATH, { method: 'POST', body, signedIn: true });
}

/** The progress of a reconciliation. */
export function reconciliationQuery(id: string) {
  return queryOptions({
    queryKey: paymentsKeys.run(id),
    queryFn: ({ signal }) => api<Reconciliation>(`${PATH}/${id}`, { signedIn: true, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : POLL_INTERVAL_MS),
  });
}

type RefundCommand = {
  id: string;
  /** The idempotency key: a repeated request makes one refund. */
  key: string;
  body: RefundRequest;
};

/** Requests a refund. */
export function refundPayment({ id, key, body }: RefundCommand): Promise<PaymentRefund> {
  return api(`/admin/payments/${encodeURIComponent(id)}/refund`, {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body,
    signedIn: true,
  });
}
