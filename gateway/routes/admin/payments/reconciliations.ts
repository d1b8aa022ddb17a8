import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { orderReconciliation } from '@proveklar/services/payments/reconciliation/order-reconciliation.ts';
import { findReconciliation } from '@proveklar/services/payments/reconciliation/reconcile.ts';
import {
  PaymentParams,
  Reconciliation,
  ReconciliationRequest,
} from '@proveklar/contract/admin-payments.ts';
import * as docs from '#openapi/examples/admin-payments.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { identityOf } from '#plugins/access.ts';
import { toReconciliationBody } from './payment-body.ts';

export const reconciliationsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;

  app.post(
    '/reconciliations',
    {
      config: { access: 'admin', docs: docs.requestReconciliation },
      schema: {
        tags: ['admin'],
        summary: 'Compare the payments with Stripe',
        body: ReconciliationRequest,
        response: withErrors({ 202: Reconciliation }),
      },
    },
    async (request, reply) => {
      const { since } = request.body;
      const run = await orderReconciliation(db, {
        since: since === undefined ? null : new Date(since),
        actor: identityOf(request),
      });
      return reply.status(202).send(toReconciliationBody(run));
    },
  );

  app.get(
    '/reconciliations/:id',
    {
      config: { access: 'admin', docs: docs.readReconciliation },
      schema: {
        tags: ['admin'],
        summary: 'How far a comparison with Stripe has come',
        params: PaymentParams,
        response: withErrors({ 200: Reconciliation }),
      },
    },
    async ({ params }) => {
      const run = await findReconciliation(db, params.id);
      if (!run) throw new AppError('not_found');
      return toReconciliationBody(run);
    },
  );
};
