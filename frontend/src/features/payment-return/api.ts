import type { PaymentStatusRequest, PaymentStatusResponse } from '@proveklar/contract/payment.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';

/** A payment as the address of the return names it. */
export type ReturnedPayment = { id: string; clientSecret: string };

const POLL_INTERVAL_MS = 4_000;
/** States that end without this page: at the bank, or in its app. */
const OPEN = new Set<PaymentStatusResponse['status']>(['processing', 'requires_action']);

/** Where a payment stands at its provider, asked again as long as that can change. */
export const paymentStatusQuery = ({ id, clientSecret }: ReturnedPayment) =>
  queryOptions({
    queryKey: ['payment-return', id],
    queryFn: ({ signal }): Promise<PaymentStatusResponse> => {
      const body: PaymentStatusRequest = { payment_intent_id: id, client_secret: clientSecret };
      return api('/payment/status', { method: 'POST', body, signal });
    },
    refetchInterval: ({ state }) =>
      state.data && OPEN.has(state.data.status) ? POLL_INTERVAL_MS : false,
    refetchIntervalInBackground: true,
    gcTime: 0,
  });
