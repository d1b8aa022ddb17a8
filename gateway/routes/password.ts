import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Ok, withErrors } from '@proveklar/contract/common.ts';
import {
  ChoosePasswordRequest,
  ForgotPasswordRequest,
  PasswordLinkRequest,
  PasswordLinkResponse,
} from '@proveklar/contract/password.ts';
import {
  choosePassword,
  forgotPassword,
  readPasswordLink,
} from '@proveklar/services/accounts/password-links.ts';
import * as docs from '#openapi/examples/password.ts';

/** Mailed links to choose a password, for people who cannot sign in. */
export const passwordRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/forgot',
    {
      config: { access: 'public', docs: docs.forgotPassword },
      schema: {
        tags: ['account'],
        summary: 'Mail a link to choose a password',
        body: ForgotPasswordRequest,
        response: withErrors({ 202: Ok }),
      },
    },
    async ({ body, clientAddress }, reply) => {
      await forgotPassword(app.deps, { ...body, clientAddress });
      return reply.status(202).send({ ok: true as const });
    },
  );

  app.post(
    '/link',
    {
      config: { access: 'public', docs: docs.readPasswordLink },
      schema: {
        tags: ['account'],
        summary: 'Check a mailed link to choose a password',
        body: PasswordLinkRequest,
        response: withErrors({ 200: PasswordLinkResponse }),
      },
    },
    async ({ body }) => {
      const { email } = await readPasswordLink(app.deps, body.token);
      return { email };
    },
  );

  app.post(
    '/choose',
    {
      config: { access: 'public', docs: docs.choosePassword },
      schema: {
        tags: ['account'],
        summary: 'Choose a password by a mailed link, which ends all sessions',
        body: ChoosePasswordRequest,
        response: withErrors({ 200: PasswordLinkResponse }),
      },
    },
    async ({ body }) => ({ email: await choosePassword(app.deps, body) }),
  );
};
