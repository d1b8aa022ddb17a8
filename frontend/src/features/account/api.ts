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
  /** The outcome of a payment, which is read again when the account changes. */
  payment: (paymentIntentId: string) => [...accountKeys.all, 'payment', paymentIntentId] as const,
};

export const accountQuery = queryOptions({
  queryKey: accountKeys.own(),
  // Not cancelled when a part of the page that reads it is gone: its language is compared with the page's, too.
  queryFn: () => api<AccountResponse>('/account', { signedIn: true }),
});

/** Settles a successful payment as service days. Safe to retry. */
export function confirmPayment(body: ConfirmRequest): Promise<ConfirmResponse | NotYetResponse> {
  return api('/payment/confirm', { method: 'POST', signedIn: true, body });
}

/** Starts the payment of an extension. An account has one open payment at a time, also with two tabs. */
export function createIntent(body: NonNullable<CreateIntentRequest>): Promise<IntentResponse> {
  return api('/payment/create-intent', { method: 'POST', signedIn: true, body });
}
