import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  Grant,
  GrantAudience,
  GrantRequest,
  OrderHeaders,
} from '@proveklar/contract/admin-payments.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { countActive, grantDays } from '@proveklar/services/accounts/grant-days.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import * as docs from '#openapi/examples/admin-payments.ts';
import { identityOf } from '#plugins/access.ts';

/** Days of service that administrators grant without a payment. */
export const grantsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/grants/audience',
    {
      config: { access: 'support', docs: docs.countGrantAudience },
      schema: {
        tags: ['admin'],
        summary: 'The number of accounts that a grant to all active accounts reaches',
        response: withErrors({ 200: GrantAudience }),
      },
    },
    async () => ({ accounts: await countActive(app.deps.db) }),
  );

  app.post(
    '/grants',
    {
      config: { access: 'support', docs: docs.grantDays },
      schema: {
        tags: ['admin'],
        summary: 'Grant days of service to a user, or to all active accounts',
        headers: OrderHeaders,
        body: GrantRequest,
        response: withErrors({ 200: Grant }),
      },
    },
    async (request) => {
      const grant = await grantDays(app.deps, {
        to: receiverOf(request.body),
        days: request.body.days,
        note: request.body.note.trim(),
        key: request.headers['idempotency-key'],
        actor: identityOf(request),
      });
      const { id, audience, days, note, accounts, created_by } = grant;
      const created_at = grant.created_at.toISOString();
      return { id, audience, days, note, accounts, created_by, created_at };
    },
  );
};

/** The receiver in the body. It rejects contradictions, so that no grant reaches all accounts by accident. */
function receiverOf({ audience, uid }: GrantRequest) {
  if (audience === 'active' && uid === undefined) return { audience };
  if (audience === 'account' && uid !== undefined) return { audience, uid };
  throw new AppError('validation_failed', {
    message: uid === undefined ? 'uid is missing' : 'uid is only for the audience "account"',
    details: { field: 'uid', part: 'body' },
  });
}
