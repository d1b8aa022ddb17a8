import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listPayments } from '@proveklar/services/payments/overview/list-payments.ts';
import { summarizePayments } from '@proveklar/services/payments/overview/payment-summary.ts';
import {
  PaymentsQuery,
  PaymentsResponse,
  PaymentSummary,
} from '@proveklar/contract/admin-payments.ts';
import * as docs from '#openapi/examples/admin-payments.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { toListedBody, toReconciliationBody } from './payment-body.ts';

export const listPaymentsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;

  app.get(
    '/',
    {
      config: { access: 'admin', docs: docs.listPayments },
      schema: {
        tags: ['admin'],
        summary: 'Payments, the newest first',
        querystring: PaymentsQuery,
        response: withErrors({ 200: PaymentsResponse }),
      },
    },
    async ({ query: { status, attention, search, before } }) => {
      const filter = { status, attention: attention !== undefined, search, before };
      const { payments, next_before } = await listPayments(db, filter);
      return { payments: payments.map(toListedBody), next_before };
    },
  );

  app.get(
    '/summary',
    {
      config: { access: 'admin', docs: docs.summarizePayments },
      schema: {
        tags: ['admin'],
        summary: 'How many payments there are of each kind, and the last comparison with Stripe',
        response: withErrors({ 200: PaymentSummary }),
      },
    },
    async () => {
      const { reconciliation, running, ...summary } = await summarizePayments(db);
      return {
        ...summary,
        reconciliation: reconciliation && toReconciliationBody(reconciliation),
        running: running && toReconciliationBody(running),
      };
    },
  );
};
