import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { cancelPayment } from '@proveklar/services/payments/cancel-payment.ts';
import * as docs from '#contract/examples/payment.ts';
import { CancelPaymentRequest } from '#contract/payment.ts';
import { Ok, withErrors } from '#contract/responses.ts';

export const cancelPaymentRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/cancel',
    {
      config: { access: 'public', docs: docs.cancelPayment },
      schema: {
        tags: ['payment'],
        summary: 'Cancel a payment that was begun and not made',
        body: CancelPaymentRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async ({ body }) => {
      await cancelPayment(app.deps, body.payment_intent_id, body.client_secret);
      return { ok: true as const };
    },
  );
};
