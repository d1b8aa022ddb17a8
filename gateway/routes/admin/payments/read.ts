import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { readPayment } from '@proveklar/services/payments/overview/read-payment.ts';
import { resyncPayment } from '@proveklar/services/payments/reconciliation/resync-payment.ts';
import { PaymentDetails, PaymentParams } from '@proveklar/contract/admin-payments.ts';
import * as docs from '#openapi/examples/admin-payments.ts';
import { NoBody, withErrors } from '@proveklar/contract/common.ts';
import { identityOf } from '#plugins/access.ts';
import { toDetailsBody } from './payment-body.ts';

export const readPaymentRoute: FastifyPluginAsyncTypebox = async (app) => {
  const { db, config } = app.deps;
  const read = async (id: string) =>
    toDetailsBody(await readPayment(db, id), config.STRIPE_SECRET_KEY);

  app.get(
    '/:id',
    {
      config: { access: 'admin', docs: docs.readPayment },
      schema: {
        tags: ['admin'],
        summary: 'Everything that is known of a payment',
        params: PaymentParams,
        response: withErrors({ 200: PaymentDetails }),
      },
    },
    async ({ params }) => read(params.id),
  );

  app.post(
    '/:id/sync',
    {
      config: { access: 'admin', docs: docs.syncPayment },
      schema: {
        tags: ['admin'],
        summary: 'Compare a payment with Stripe now',
        params: PaymentParams,
        body: NoBody,
        response: withErrors({ 200: PaymentDetails }),
      },
    },
    async (request) => {
      const { id } = request.params;
      await resyncPayment(app.deps, { paymentId: id, actor: identityOf(request) });
      return read(id);
    },
  );
};
