import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import { WebhookResponse } from '@proveklar/contract/payment.ts';
import { receiveStripeEvent } from '@proveklar/services/payments/incoming/stripe-events.ts';
import * as docs from '#openapi/examples/payment.ts';

/** Where Stripe reports its events. */
export const stripeWebhookRoutes: FastifyPluginAsyncTypebox = async (app) => {
  // The signature is over the bytes as they came; parsed and written again they would differ.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );

  app.post(
    '/webhook',
    {
      config: {
        access: 'public',
        // Stripe sends many at once, and only what it signed is read.
        rateLimit: false,
        rawBody: true,
        docs: docs.receiveStripeEvent,
      },
      schema: {
        tags: ['payment'],
        summary: 'Where Stripe tells of events; signed, and stored before it is answered',
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
