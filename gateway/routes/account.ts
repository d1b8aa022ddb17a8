import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Account } from '@proveklar/services/accounts/account.ts';
import { readWaitingDays } from '@proveklar/services/accounts/credit-ledger.ts';
import { changeProfile } from '@proveklar/services/accounts/change-profile.ts';
import {
  changePassword,
  requestEmailChange,
} from '@proveklar/services/accounts/change-credentials.ts';
import { isAdmin } from '@proveklar/services/identity/verified-identity.ts';
import * as docs from '#openapi/examples/account.ts';
import {
  AccountResponse,
  ChangeEmailRequest,
  ChangePasswordRequest,
  ChangeProfileRequest,
} from '@proveklar/contract/account.ts';
import { Ok, withErrors } from '@proveklar/contract/common.ts';
import { bearerToken, callerOf, identityOf, recentIdentityOf } from '#plugins/access.ts';
import { toAccountBody } from './account-body.ts';
import { deleteAccountRoute } from './account/delete.ts';
import { exportAccountRoute } from './account/export.ts';

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
    async (request) => toOwnBody(request, callerOf(request)),
  );

  app.put(
    '/account/profile',
    {
      config: { access: 'learner', docs: docs.changeProfile },
      schema: {
        tags: ['account'],
        summary: 'Change the own name, or the language of mails',
        body: ChangeProfileRequest,
        response: withErrors({ 200: AccountResponse }),
      },
    },
    async (request) => {
      const { display_name: displayName, language } = request.body;
      const change = { displayName, language };
      return toOwnBody(request, await changeProfile(app.deps, callerOf(request), change));
    },
  );

  app.put(
    '/account/password',
    {
      config: { access: 'learner', docs: docs.changePassword },
      schema: {
        tags: ['account'],
        summary: 'Change the own password, which ends all sessions',
        body: ChangePasswordRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      recentIdentityOf(request);
      await changePassword(app.deps, callerOf(request), request.body.password);
      return { ok: true as const };
    },
  );

  app.post(
    '/account/email',
    {
      config: { access: 'learner', docs: docs.changeEmail },
      schema: {
        tags: ['account'],
        summary: 'Have a link mailed by which the own address is changed',
        body: ChangeEmailRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      recentIdentityOf(request);
      const email = request.body.email.toLowerCase();
      const continueUrl = `${app.deps.config.PUBLIC_URL}/quiz?tab=account`;
      const change = { email, idToken: bearerToken(request), continueUrl };
      await requestEmailChange(app.deps, callerOf(request), change);
      return { ok: true as const };
    },
  );

  await app.register(exportAccountRoute, { prefix: '/account' });
  await app.register(deleteAccountRoute, { prefix: '/account' });

  async function toOwnBody(request: FastifyRequest, account: Account): Promise<AccountResponse> {
    const { email, display_name, language } = account;
    return {
      ...toAccountBody(account, await readWaitingDays(app.deps.db, account.id)),
      is_admin: isAdmin(identityOf(request), app.deps.adminEmails),
      email,
      display_name,
      language,
    };
  }
};
