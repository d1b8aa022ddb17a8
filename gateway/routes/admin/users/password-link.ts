import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { sendPasswordLink } from '@proveklar/services/accounts/send-password-link.ts';
import * as docs from '#contract/examples/users.ts';
import { NoBody, Ok, withErrors } from '#contract/responses.ts';
import { UserParams } from '#contract/users.ts';
import { identityOf } from '#plugins/access.ts';

export const passwordLinkRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/:uid/password-link',
    {
      config: { access: 'admin', docs: docs.sendPasswordLink },
      schema: {
        tags: ['admin'],
        summary: 'Mail a user the link under which they choose a password',
        params: UserParams,
        body: NoBody,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const { uid } = request.params;
      await sendPasswordLink(app.deps, { uid, actor: identityOf(request) });
      return { ok: true as const };
    },
  );
};
