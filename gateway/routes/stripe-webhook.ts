import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import { WebhookResponse } from '@proveklar/contract/payment.ts';
import { receiveStripeEvent } from '@proveklar/services/payments/incoming/stripe-events.ts';
import * as docs from '#openapi/examples/payment.ts';

/** The endpoint of Stripe's webhook. */
export const stripeWebhookRoutes: FastifyPluginAsyncTypebox = async (app) => {
  // The signature covers the raw bytes: JSON that is parsed and serialized again would differ.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );

  app.post(
    '/webhook',
    {
      config: {
        access: 'public',
        // Stripe sends many at once, and only signed bodies are read.
        rateLimit: false,
        rawBody: true,
        docs: docs.receiveStripeEvent,
      },
      schema: {
        tags: ['payment'],
        summary: "Receive Stripe's events; verified, and stored before the response",
        response: withErrors({ 200: WebhookResponse }),
      },
    },
    async (request) => {
      const { db, webhookSecrets } = app.deps;
      const signature = String(request.headers['stripe-signature'] ?? '');
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      await receiveStripeEvent(db, body, signature, webhookSecrets);
      return { received: true as const };
    },
  );
};
