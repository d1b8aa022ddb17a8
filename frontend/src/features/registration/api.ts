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

/** Creates the account of a paid or free registration. Safe to retry. */
export function confirmRegistration(
  body: ConfirmRegistrationRequest,
): Promise<ConfirmRegistrationResponse | NotYetResponse> {
  return api('/payment/confirm-registration', { method: 'POST', body });
}

/** Errors after which the key's payment can no longer be paid, so a new one must be started. */
const CLOSED_CODES = new Set(['payment_cancelled', 'payment_expired']);

/**
 * Starts the payment of a registration. Repeated, also by another tab or after a reload, it returns the same
 * payment as long as that can be paid.
 */
export async function createRegistrationIntent(
  body: CreateRegistrationIntentRequest,
): Promise<IntentResponse> {
  // Without the consent and the language, which may change for the same purchase.
  const content = { email: body.email, username: body.username };
  const key = await paymentKey(content);
  try {
    return await send(body, key);
  } catch (error) {
    if (!(error instanceof ApiError && CLOSED_CODES.has(error.code))) throw error;
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
export type PendingRegistration = {
  person: Person;
  intent: IntentResponse;
  /** A code in place of a payment. */
  code?: string;
};

/** What a registration with a code pays. */
export const NOTHING_TO_PAY: IntentResponse = {
  client_secret: null,
  payment_intent_id: null,
  amount: 0,
  service_days: 0,
};

/** The end of a registration. `cancel_unknown`: it is unknown whether the payment was cancelled. */
export type RegistrationEnd = 'outcome' | 'cancelled' | 'cancel_unknown';
