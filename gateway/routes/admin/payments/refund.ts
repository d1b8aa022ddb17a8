import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { refundPayment } from '@proveklar/services/payments/refunds/refund-payment.ts';
import {
  OrderHeaders,
  PaymentParams,
  PaymentRefund,
  RefundRequest,
} from '@proveklar/contract/admin-payments.ts';
import * as docs from '#openapi/examples/admin-payments.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { identityOf } from '#plugins/access.ts';
import { toRefundBody } from './payment-body.ts';

export const refundRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/:id/refund',
    {
      config: { access: 'admin', docs: docs.refundPayment },
      schema: {
        tags: ['admin'],
        summary: 'Pay money back',
        params: PaymentParams,
        headers: OrderHeaders,
        body: RefundRequest,
        response: withErrors({ 202: PaymentRefund }),
      },
    },
    async (request, reply) => {
      const { amount, reason_note } = request.body;
      const refund = await refundPayment(app.deps.db, {
        paymentId: request.params.id,
        amountOre: amount ?? null,
        note: reason_note?.trim() ?? null,
        key: request.headers['idempotency-key'],
        actor: identityOf(request),
      });
      return reply.status(202).send(toRefundBody(refund));
    },
  );
};
