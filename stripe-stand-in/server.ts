import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  LogController,
} from 'fastify';
import { createFaults } from './control/faults.ts';
import { expired, openStore } from './store.ts';
import { startWebhooks } from './webhooks.ts';
import { API_VERSION, type Context } from './work.ts';
import { registerAccount } from './account.ts';
import { registerControl } from './control/routes.ts';
import { registerBalance } from './payments/balance.ts';
import { registerCharges } from './payments/charges.ts';
import { errorBody, StripeProblem } from './errors.ts';
import { registerEvents } from './events.ts';
import { newId } from './ids.ts';
import { parseForm } from './params.ts';
import { registerPaymentIntents } from './payments/payment-intents.ts';
import { registerDisputes } from './payments/disputes.ts';
import { registerPaymentMethods } from './payments/payment-methods.ts';
import { registerRefunds } from './payments/refunds.ts';
import { registerRedirectPage } from './payments/redirect.ts';
import { registerThreeDSecurePage } from './payments/three-d-secure.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type StripeStandInOptions = {
  /** 0 chooses a free port. */
  port: number;
  /** A loopback address, `127.0.0.1` by default. */
  host?: string;
  /** Allows any address, for a container whose port is published on loopback only. */
  inContainer?: boolean;
  /** The folder where payments, events and undelivered webhooks are stored between runs. */
  dataDir: string;
  /** The webhook endpoint; without it, no events are sent. */
  webhookUrl?: string;
  /** The event types to send, or patterns such as `charge.*`; all by default. */
  webhookEvents?: readonly string[];
  /** The secret that signs the events, `whsec_…`. */
  webhookSecret: string;
  /** The backoff between attempts to deliver an event, in seconds; 1, 2, 5, 10, 30, then 60 by default. */
  webhookRetrySeconds?: readonly number[];
  /** Logs methods, routes and statuses; never a body, a query or a card. */
  logger?: FastifyBaseLogger;
};

export type StripeStandIn = {
  /** `http://127.0.0.1:<port>`: the API, and `/stripe.js` for the browser. */
  url: string;
  /** Stops listening and delivering. The next run delivers undelivered events. */
  close(): Promise<void>;
};

/**
 * Starts the local stand-in for Stripe's API and Stripe.js.
 * @throws Error in production, for an address other than loopback, and when the port is in use
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
    // Only now, because a second stand-in on the same data has failed on the port before this line.
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

/** Builds the HTTP server of the stand-in; it does not listen yet. */
function buildApp(context: Context, logger?: FastifyBaseLogger): FastifyInstance {
  const app = Fastify({
    ...(logger === undefined ? {} : { loggerInstance: logger }),
    // Fastify would log the whole URL, and Stripe.js puts client secrets into queries.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId('req'),
    routerOptions: { querystringParser: parseForm },
    bodyLimit: 256 * 1024,
    forceCloseConnections: true,
  });

  app.setValidatorCompiler(TypeBoxValidatorCompiler);
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, parseForm(String(body)));
    },
  );
  allowLoopbackOrigins(app);
  app.addHook('onRequest', async (request, reply) => {
    void reply
      .header('request-id', request.id)
      .header('stripe-version', API_VERSION)
      .header('cache-control', 'no-store');
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url;
    request.log.info({ method: request.method, route, status: reply.statusCode }, 'stripe call');
  });

  registerPaymentIntents(app, context);
  registerPaymentMethods(app, context);
  registerCharges(app, context);
  registerRefunds(app, context);
  registerDisputes(app, context);
  registerBalance(app, context);
  registerEvents(app, context);
  registerAccount(app, context);
  registerThreeDSecurePage(app, context);
  registerRedirectPage(app, context);
  registerControl(app, context);
  registerBrowserScript(app);
  answerErrorsLikeStripe(app);
  return app;
}

function answerErrorsLikeStripe(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | StripeProblem, request, reply) => {
    if (error instanceof StripeProblem) {
      return reply.code(error.status).send(errorBody(error.fields, request.id));
    }
    const status = error.statusCode ?? 500;
    if (status < 500) {
      const fields = { type: 'invalid_request_error' as const, message: error.message };
      return reply.code(status).send(errorBody(fields, request.id));
    }
    request.log.error(error);
    const message = `An unknown error occurred (${request.id})`;
    return reply.code(500).send(errorBody({ type: 'api_error', message }, request.id));
  });

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const message = `Unrecognized request URL (${request.method}: ${path}).`;
    return reply.code(404).send(errorBody({ type: 'invalid_request_error', message }, request.id));
  });
}

const LOOPBACK = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

/** Allows CORS for pages from this host, on any port, as for Stripe.js. */
function allowLoopbackOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin !== undefined && LOOPBACK.test(origin)) {
      void reply
        .header('access-control-allow-origin', origin)
        .header('access-control-allow-methods', 'GET, POST')
        .header('access-control-allow-headers', 'authorization, content-type, idempotency-key')
        .header('access-control-expose-headers', 'request-id')
        .header('access-control-max-age', '600');
    }
    if (request.method === 'OPTIONS') return reply.code(204).send();
    return undefined;
  });
}

/** In the order of their imports. */
const PARTS = [
  'messages.js',
  'element-events.js',
  'card-rules.js',
  'appearance.js',
  'payment-form.js',
  'payment-element.js',
  'wallet-buttons.js',
  'next-actions.js',
  'stripe.js',
];

/**
 * Serves `/stripe.js`, which defines `window.Stripe` as Stripe.js does. A page loads Stripe.js as one plain
 * script, so the modules in `browser/` are joined without a bundler: this removes their `import` lines and the
 * word `export`, and wraps everything in a function.
 */
function registerBrowserScript(app: FastifyInstance): void {
  const body = PARTS.map((part) => {
    const source = readFileSync(join(import.meta.dirname, 'browser', part), 'utf8');
    return source.replaceAll(/^import [^;]+;\n/gm, '').replaceAll(/^export (?=\w)/gm, '');
  }).join('\n');

  app.get('/stripe.js', async (request, reply) => {
    void reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('cross-origin-resource-policy', 'cross-origin');
    const api = JSON.stringify(`http://${request.host}`);
    return `(() => {\n'use strict';\n${body}\ndefineStripe(window, ${api});\n})();\n`;
  });
}
