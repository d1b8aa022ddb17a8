import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyError, FastifyInstance } from 'fastify';

import { API_VERSION } from './api-version.ts';
import { registerAccount } from './account.ts';
import { registerBrowserScript } from './browser-script.ts';
import { registerControl } from './control/routes.ts';
import { registerCharges } from './payments/charges.ts';
import type { Context } from './context.ts';
import { StripeProblem, errorBody } from './errors.ts';
import { registerEvents } from './events.ts';
import { newId } from './ids.ts';
import { allowLoopbackOrigins } from './loopback-cors.ts';
import { parseForm } from './params.ts';
import { registerPaymentIntents } from './payments/payment-intents.ts';
import { registerDisputes } from './payments/disputes.ts';
import { registerPaymentMethods } from './payments/payment-methods.ts';
import { registerRefunds } from './payments/refunds.ts';
import { registerThreeDSecurePage } from './payments/three-d-secure-page.ts';

/** The HTTP side of the stand-in, not yet listening. */
export function buildApp(context: Context, logger?: FastifyBaseLogger): FastifyInstance {
  const app = Fastify({
    ...(logger === undefined ? {} : { loggerInstance: logger }),
    // Fastify would log the whole address, and Stripe.js puts client secrets into queries.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId('req'),
    routerOptions: { querystringParser: parseForm },
    // A misspelt fault must be refused, not left out.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
    bodyLimit: 256 * 1024,
    forceCloseConnections: true,
  });

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
  registerEvents(app, context);
  registerAccount(app, context);
  registerThreeDSecurePage(app, context);
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
