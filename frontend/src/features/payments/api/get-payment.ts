import type { PaymentDetails } from '@proveklar/contract/admin-payments.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { paymentsKeys } from '../keys.ts';

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
