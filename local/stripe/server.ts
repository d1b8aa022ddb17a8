import type { FastifyBaseLogger } from 'fastify';

import { buildApp } from './app.ts';
import { createFaults } from './control/faults.ts';
import { expired } from './retention.ts';
import { openStore } from './store.ts';
import { startWebhooks } from './webhooks/webhooks.ts';

export type StripeStandInOptions = {
  /** 0 takes a free port. */
  port: number;
  /** A loopback address, `127.0.0.1` by default. */
  host?: string;
  /** Lets it listen on any address: whoever runs the container publishes it on loopback only. */
  inContainer?: boolean;
  /** Where payments, events and undelivered webhooks are kept between runs. */
  dataDir: string;
  /** Where events are sent; none are when it is absent. */
  webhookUrl?: string;
  /** Which events are sent: types, or patterns such as `charge.*`; all by default. */
  webhookEvents?: readonly string[];
  /** Signs the events, `whsec_…`. */
  webhookSecret: string;
  /** Waits between attempts to deliver an event, in seconds; 1, 2, 5, 10, 30, then 60 by default. */
  webhookRetrySeconds?: readonly number[];
  /** Sees methods, routes and statuses; never a body, a query or a card. */
  logger?: FastifyBaseLogger;
};

export type StripeStandIn = {
  /** `http://127.0.0.1:<port>`: the API, and `/stripe.js` for the browser. */
  url: string;
  /** Stops listening and delivering; what is undelivered is delivered by the next run. */
  close(): Promise<void>;
};

/**
 * Starts the local stand-in for Stripe's API and Stripe.js.
 * @throws Error in production, for an address other than loopback, and when the port is taken
 */
export async function startStripeStandIn(options: StripeStandInOptions): Promise<StripeStandIn> {
  const { port, host = '127.0.0.1', dataDir, webhookUrl, webhookSecret, logger } = options;
  if (process.env.NODE_ENV === 'production') {
    throw new Error(
      'The Stripe stand-in does not start with NODE_ENV=production: it takes no money, so every ' +
        'payment it confirms would be a gift. Set STRIPE_SECRET_KEY and leave STRIPE_API_URL unset.',
    );
  }
  if (!options.inContainer && !['127.0.0.1', '::1', 'localhost'].includes(host)) {
    throw new Error(`The Stripe stand-in listens on loopback only, not on ${host}.`);
  }

  const store = await openStore(dataDir);
  const faults = createFaults();
  const webhooks = startWebhooks({
    store,
    faults,
    url: webhookUrl,
    secret: webhookSecret,
    events: options.webhookEvents,
    retrySeconds: options.webhookRetrySeconds,
    log: logger,
  });
  const app = buildApp({ store, webhooks, faults, keysInUse: new Set() }, logger);
  try {
    const url = await app.listen({ port, host });
    // Only now: a second stand-in on the same data has failed on the port by now.
    store.commit(expired(store));
    store.takeOver();
    webhooks.resume();
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }

  async function close(): Promise<void> {
    faults.close();
    await app.close();
    await webhooks.close();
    store.close();
  }
}
