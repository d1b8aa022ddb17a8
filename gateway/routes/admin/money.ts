import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import { FunnelResponse, MoneyQuery, MoneyResponse } from '@proveklar/contract/money.ts';
import {
  exportLedger,
  readMoney,
  recordLedgerExport,
} from '@proveklar/services/payments/books/ledger.ts';
import { readFunnel } from '@proveklar/services/portal/funnel.ts';
import * as docs from '#openapi/examples/money.ts';
import { identityOf } from '#plugins/access.ts';

/** The accounts and the funnel, for owners. */
export const moneyRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;

  app.get(
    '/',
    {
      config: { access: 'owner', docs: docs.readMoney },
      schema: {
        tags: ['admin'],
        summary: 'What was sold and what went back, by month or day, compared with Stripe',
        querystring: MoneyQuery,
        response: withErrors({ 200: MoneyResponse }),
      },
    },
    async ({ query: { period } }) => {
      const { stripe, ...figures } = await readMoney(db, period);
      const { readAt, ...comparison } = stripe;
      return { ...figures, stripe: { read_at: readAt?.toISOString() ?? null, ...comparison } };
    },
  );

  app.get(
    '/funnel',
    {
      config: { access: 'owner', docs: docs.readFunnel },
      schema: {
        tags: ['admin'],
        summary: 'The way from the free sample to practising, as counts',
        querystring: MoneyQuery,
        response: withErrors({ 200: FunnelResponse }),
      },
    },
    ({ query: { period } }) => readFunnel(db, period),
  );

  // A download, hence not in the API document.
  app.get(
    '/ledger',
    {
      config: { access: 'owner', unboundedDuration: true },
      schema: { hide: true, querystring: MoneyQuery },
    },
    async (request, reply) => {
      const { period } = request.query;
      await recordLedgerExport(db, { actor: identityOf(request), period });
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="proveklar-regnskap-${period}.csv"`)
        .send(Readable.from(exportLedger(db, period)));
    },
  );
};
