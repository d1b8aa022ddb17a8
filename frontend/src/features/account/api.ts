import type { AccountResponse } from '@proveklar/contract/account.ts';
import type {
  ConfirmRequest,
  ConfirmResponse,
  CreateIntentRequest,
  IntentResponse,
  NotYetResponse,
} from '@proveklar/contract/payment.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';

export const accountKeys = {
  all: ['account'] as const,
  own: () => [...accountKeys.all, 'own'] as const,
  /** What became of a payment: like the account, it is asked for again when that changes. */
  payment: (paymentIntentId: string) => [...accountKeys.all, 'payment', paymentIntentId] as const,
};

export const accountQuery = queryOptions({
  queryKey: accountKeys.own(),
  queryFn: ({ signal }) => api<AccountResponse>('/account', { signedIn: true, signal }),
});

/** Turns a payment that went through into service days. Safe to send again. */
export function confirmPayment(body: ConfirmRequest): Promise<ConfirmResponse | NotYetResponse> {
  return api('/payment/confirm', { method: 'POST', signedIn: true, body });
}

/** Starts the payment that extends the signed-in account; it has one open at a time, also in two tabs. */
export function createIntent(body: NonNullable<CreateIntentRequest>): Promise<IntentResponse> {
  return api('/payment/create-intent', { method: 'POST', signedIn: true, body });
}
