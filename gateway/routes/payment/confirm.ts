import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { confirmExtension } from '@proveklar/services/payments/confirm-extension.ts';
import * as docs from '#contract/examples/payment.ts';
import { ConfirmRequest, ConfirmResponse, NotYetResponse } from '#contract/payment.ts';
import { withErrors } from '#contract/responses.ts';
import { callerOf } from '#plugins/access.ts';
import { toAccountBody } from '../account-body.ts';

export const confirmRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/confirm',
    {
      config: { access: 'learner', docs: docs.confirmPayment },
      schema: {
        tags: ['payment'],
        summary: 'Settle a payment for more service; again changes nothing',
        body: ConfirmRequest,
        response: withErrors({ 200: ConfirmResponse, 202: NotYetResponse }),
      },
    },
    async (request, reply) => {
      const { payment_intent_id } = request.body;
      const result = await confirmExtension(app.deps, callerOf(request).id, payment_intent_id);
      if (result.status !== 'settled') return reply.status(202).send(result);
      return toAccountBody(result.account, result.waitingDays);
    },
  );
};
