import type { Reconciliation, ReconciliationRequest } from '@proveklar/contract/admin-payments.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { paymentsKeys } from '../keys.ts';

const PATH = '/admin/payments/reconciliations';

/** In milliseconds: the end is told live; this is for when nobody tells. */
const LOOK_AGAIN = 5_000;

/** Asks for a comparison with Stripe. */
export function requestReconciliation(body: ReconciliationRequest): Promise<Reconciliation> {
  return api(PATH, { method: 'POST', body, signedIn: true });
}

/** How far a comparison has come. */
export function reconciliationQuery(id: string) {
  return queryOptions({
    queryKey: paymentsKeys.run(id),
    queryFn: ({ signal }) => api<Reconciliation>(`${PATH}/${id}`, { signedIn: true, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : LOOK_AGAIN),
  });
}
