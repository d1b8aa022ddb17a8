import Stripe from 'stripe';
import { AppError } from '#errors/app-error.ts';

interface StripeClientOptions {
  secretKey: string;
  /** A stand-in's address; Stripe's own by default. Configuration refuses this in production. */
  apiUrl?: string | undefined;
}

/** The API version that this code was written against; the account's own may differ. */
export const API_VERSION = '2026-10-28.endive';

export function createStripeClient({ secretKey, apiUrl }: StripeClientOptions): Stripe {
  const url = apiUrl ? new URL(apiUrl) : null;
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    // A learner waits for the answer: Stripe's own default is 80 s.
    timeout: 10_000,
    maxNetworkRetries: 2,
    telemetry: false,
    ...(url && {
      protocol: url.protocol === 'https:' ? 'https' : 'http',
      host: url.hostname,
      port: url.port,
    }),
  });
}

/** Whether Stripe answered that it failed inside; it keeps that answer for the same key. */
export function isStripeFailure(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= 500;
}

/** Whether the intent has changed meanwhile to a state that does not allow the call. */
export function isUnexpectedState(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError && error.code === 'payment_intent_unexpected_state'
  );
}

/** Turns what the SDK throws into an error that may be shown; what is not Stripe's passes. */
export function stripeError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  // Said before anything is paid: with such an address no account could be made afterwards.
  if (error.code === 'email_invalid') {
    return new AppError('email_refused', { cause: error, details: { field: 'email' } });
  }
  const missing = error.code === 'resource_missing';
  return new AppError(missing ? 'payment_not_found' : 'payment_provider_failed', { cause: error });
}
