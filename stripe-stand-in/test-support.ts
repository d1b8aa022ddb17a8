import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Stripe from 'stripe';
import { onTestFinished } from 'vitest';

import { controlAt } from './control/client.ts';
import type { Control } from './control/client.ts';
import { startStripeStandIn } from './server.ts';
import type { StripeStandIn, StripeStandInOptions } from './server.ts';

const WEBHOOK_SECRET = 'whsec_test';

/** Starts a stand-in on a free port with its own data, and removes both after the test. */
export async function startForTest(
  options: Partial<StripeStandInOptions> = {},
): Promise<StripeStandIn> {
  const standIn = await startStripeStandIn({
    port: 0,
    dataDir: options.dataDir ?? temporaryDir(),
    webhookSecret: WEBHOOK_SECRET,
    webhookRetrySeconds: [0.01],
    ...options,
  });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= standIn.close());
  onTestFinished(close);
  return { url: standIn.url, close };
}

/** The real SDK, with the URL of the stand-in. */
export function stripeAt(url: string, key = 'sk_test_local'): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(key, {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

/** A stand-in with its clients. */
export async function startBoth(
  options: Partial<StripeStandInOptions> = {},
): Promise<{ stripe: Stripe; control: Control; url: string }> {
  const { url } = await startForTest(options);
  return { stripe: stripeAt(url), control: controlAt(url), url };
}

/** Expects a call to fail, and returns the error. */
export async function failureOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  return call.then(
    () => {
      throw new Error('expected a failure');
    },
    (error: unknown) => error as Stripe.errors.StripeError,
  );
}

/** Types of the events that the stand-in has recorded, oldest first. */
export async function eventTypes(stripe: Stripe): Promise<string[]> {
  const { data } = await stripe.events.list({ limit: 100 });
  return data.map((event) => event.type).toReversed();
}

export function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'stripe-'));
  onTestFinished(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  return dir;
}

export type Delivered = { event: Stripe.Event; signature: string };

export type Receiver = {
  url: string;
  /** Resolves once `count` deliveries were answered with 2xx. */
  received(count: number): Promise<Delivered[]>;
};

/**
 * A webhook endpoint that verifies signatures with the real SDK.
 * @param statusOf the status of the response to the n-th request, from 1; null never responds
 */
export async function receiveWebhooks(statusOf: (n: number) => number | null): Promise<Receiver> {
  const stripe = new Stripe('sk_test_local');
  const delivered: Delivered[] = [];
  const waiting = new Set<() => void>();
  let requests = 0;

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests += 1;
      const status = statusOf(requests);
      const signature = String(request.headers['stripe-signature']);
      const body = Buffer.concat(chunks);
      const event = stripe.webhooks.constructEvent(body, signature, WEBHOOK_SECRET);
      if (status === null) return;
      if (status < 300) delivered.push({ event, signature });
      response.writeHead(status).end();
      for (const check of waiting) check();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    received: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (delivered.length < count) return;
          waiting.delete(check);
          resolve([...delivered]);
        };
        waiting.add(check);
        check();
      }),
  };
}
