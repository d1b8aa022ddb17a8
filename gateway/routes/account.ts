import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { isAdmin } from '@proveklar/services/identity/verified-identity.ts';
import * as docs from '#contract/examples/account.ts';
import { AccountResponse } from '#contract/account.ts';
import { withErrors } from '#contract/responses.ts';
import { callerOf, identityOf } from '#plugins/access.ts';
import { toAccountBody } from './account-body.ts';

export const accountRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/account',
    {
      config: { access: 'learner', docs: docs.readAccount },
      schema: {
        tags: ['account'],
        summary: 'The account of whoever is signed in',
        response: withErrors({ 200: AccountResponse }),
      },
    },
    async (request) => {
      const account = callerOf(request);
      return {
        ...toAccountBody(account),
        is_admin: isAdmin(identityOf(request), app.deps.adminEmails),
        email: account.email,
        display_name: account.display_name,
      };
    },
  );
};
