import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestPaymentSearch } from '@proveklar/services/payments/search-payments.ts';
import * as docs from '#contract/examples/payment.ts';
import { SearchPaymentsRequest } from '#contract/payment.ts';
import { Ok, withErrors } from '#contract/responses.ts';

export const searchPaymentsRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/search',
    {
      config: { access: 'public', docs: docs.searchPayments },
      schema: {
        tags: ['payment'],
        summary: 'Look for payments that gave no access',
        body: SearchPaymentsRequest,
        response: withErrors({ 202: Ok }),
      },
    },
    async (request, reply) => {
      await requestPaymentSearch(app.deps.db, {
        ...request.body,
        clientAddress: request.clientAddress,
      });
      return reply.status(202).send({ ok: true as const });
    },
  );
};
