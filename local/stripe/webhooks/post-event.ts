import type Stripe from 'stripe';

import { nowInSeconds } from '../ids.ts';
import { signWebhook } from './signature.ts';

const ANSWER_MILLISECONDS = 10_000;

/** Sends one event; null when it was received, otherwise why not. */
export async function postEvent(
  event: Stripe.Event,
  url: string,
  secret: string,
  closing: AbortSignal,
): Promise<string | null> {
  // Indented as Stripe sends it: a receiver that signs its own re-serialization fails here too.
  const body = JSON.stringify(event, null, 2);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signWebhook(body, secret, nowInSeconds()),
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([closing, AbortSignal.timeout(ANSWER_MILLISECONDS)]),
    });
    await response.body?.cancel();
    return response.ok ? null : `answered ${response.status}`;
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
