import type Stripe from 'stripe';
import { API_VERSION } from '#payments/provider/stripe.ts';
import { STRIPE_EVENT_TYPES } from './stripe-events.ts';

/** Where the gateway receives Stripe's events, below the site's address. */
export const WEBHOOK_PATH = '/api/v1/stripe/webhook';

/** `secret` is shown once, when Stripe creates the endpoint. */
export type RegisteredEndpoint =
  | { outcome: 'created'; id: string; secret: string }
  | { outcome: 'completed' | 'unchanged'; id: string; apiVersion: string | null };

/**
 * Registers our webhook at Stripe, with the events and the API version that the code is written for. An endpoint for the
 * same address is kept, because its secret is in use: only missing events are added.
 *
 * @throws errors of Stripe's SDK
 */
export async function registerEndpoint(
  { webhookEndpoints }: Pick<Stripe, 'webhookEndpoints'>,
  url: string,
): Promise<RegisteredEndpoint> {
  const events = [...STRIPE_EVENT_TYPES];
  const { data } = await webhookEndpoints.list({ limit: 100 });
  const known = data.find((endpoint) => endpoint.url === url);
  if (!known) {
    const { id, secret } = await webhookEndpoints.create({
      url,
      enabled_events: events,
      api_version: API_VERSION,
      description: 'Prøveklar',
    });
    if (!secret) throw new Error(`Stripe created ${id} and showed no secret`);
    return { outcome: 'created', id, secret };
  }
  const { id, status, enabled_events: enabled, api_version: apiVersion } = known;
  const isComplete =
    enabled.includes('*') || events.every((type) => enabled.includes(type as string));
  if (isComplete && status === 'enabled') return { outcome: 'unchanged', id, apiVersion };
  await webhookEndpoints.update(id, {
    ...(!isComplete && { enabled_events: events }),
    disabled: false,
  });
  return { outcome: 'completed', id, apiVersion };
}
