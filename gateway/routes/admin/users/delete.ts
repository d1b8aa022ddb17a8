import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { deleteUser } from '@proveklar/services/accounts/delete-user.ts';
import * as docs from '#contract/examples/users.ts';

import { NoBody, Ok, withErrors } from '#contract/responses.ts';
import { UserParams } from '#contract/users.ts';
import { identityOf } from '#plugins/access.ts';

export const deleteUserRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.delete(
    '/:uid',
    {
      config: { access: 'admin', docs: docs.deleteUser },
      schema: {
        tags: ['admin'],
        summary: 'Delete a user with everything that they have learnt',
        params: UserParams,
        body: NoBody,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      await deleteUser(app.deps, request.params.uid, identityOf(request));
      return { ok: true as const };
    },
  );
};
