import type {
  ConfirmRegistrationRequest,
  ConfirmRegistrationResponse,
  CreateRegistrationIntentRequest,
  IntentResponse,
  NotYetResponse,
} from '@proveklar/contract/payment.ts';
import { api } from '#lib/api-client.ts';
import { ApiError } from '#lib/api-error.ts';
import { newPaymentKey, paymentKey } from '#lib/payment-keys.ts';

/** Makes the account of a paid (or free) registration. Safe to send again. */
export function confirmRegistration(
  body: ConfirmRegistrationRequest,
): Promise<ConfirmRegistrationResponse | NotYetResponse> {
  return api('/payment/confirm-registration', { method: 'POST', body });
}

/** Over: what this key began can no longer be paid, and a new one has to be begun. */
const OVER = new Set(['payment_cancelled', 'payment_expired']);

/**
 * Starts the payment of a registration. Sent again, also by another tab or after a reload, it
 * returns the same one, as long as that can be paid.
 */
export async function createRegistrationIntent(
  body: CreateRegistrationIntentRequest,
): Promise<IntentResponse> {
  // Not the consent and the language: they may change, and it is the same purchase.
  const content = { email: body.email, username: body.username };
  const key = await paymentKey(content);
  try {
    return await send(body, key);
  } catch (error) {
    if (!(error instanceof ApiError && OVER.has(error.code))) throw error;
    return send(body, await newPaymentKey(content, key));
  }
}

function send(body: CreateRegistrationIntentRequest, idempotencyKey: string) {
  return api<IntentResponse>('/payment/create-registration-intent', {
    method: 'POST',
    body,
    headers: { 'idempotency-key': idempotencyKey },
  });
}

export type Person = { username: string; email: string; password: string };

/** A person who has filled in the form but has no account yet, and the payment started for them. */
export type PendingRegistration = { person: Person; intent: IntentResponse };

/** What a registration came to. `cancel_unknown`: whether the payment was cancelled, nothing says. */
export type RegistrationEnd = 'outcome' | 'cancelled' | 'cancel_unknown';
