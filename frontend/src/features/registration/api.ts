import type {
  ConfirmRegistrationRequest,
  ConfirmRegistrationResponse,
  CreateRegistrationIntentRequest,
  IntentResponse,
  NotYetResponse,
} from '@proveklar/contract/payment.ts';
import { api } from '#lib/api-client.ts';
import { withPaymentKey } from '#lib/payment-keys.ts';

/** Creates the account of a paid or free registration. Safe to retry. */
export function confirmRegistration(
  body: ConfirmRegistrationRequest,
): Promise<ConfirmRegistrationResponse | NotYetResponse> {
  return api('/payment/confirm-registration', { method: 'POST', body });
}

/**
 * Starts the payment of a registration. Repeated, also by another tab or after a reload, it returns the same
 * payment as long as that can be paid.
 */
export function createRegistrationIntent(
  body: CreateRegistrationIntentRequest,
): Promise<IntentResponse> {
  // Without the consent and the language, which may change for the same purchase.
  const content = { email: body.email, username: body.username };
  return withPaymentKey(content, (key) =>
    api<IntentResponse>('/payment/create-registration-intent', {
      method: 'POST',
      body,
      headers: { 'idempotency-key': key },
    }),
  );
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
