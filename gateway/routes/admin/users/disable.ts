import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { disableUser, enableUser } from '@proveklar/services/accounts/disable-user.ts';
import * as docs from '#contract/examples/users.ts';
import { NoBody, withErrors } from '#contract/responses.ts';
import { DisableUserRequest, User, UserParams } from '#contract/users.ts';
import { identityOf } from '#plugins/access.ts';
import { toUserBody } from './user-body.ts';

export const disableUserRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const schema = {
    tags: ['admin'],
    params: UserParams,
    response: withErrors({ 200: User }),
  };
  app.post(
    '/:uid/disable',
    {
      config: { access: 'admin', docs: docs.disableUser },
      schema: {
        ...schema,
        summary: 'Keep a user out, from their next request on',
        body: DisableUserRequest,
      },
    },
    async (request) => {
      const { params, body } = request;
      const by = identityOf(request);
      const user = await disableUser(app.deps, params.uid, by, body?.reason);
      return toUserBody(user, by);
    },
  );
  app.post(
    '/:uid/enable',
    {
      config: { access: 'admin', docs: docs.enableUser },
      schema: { ...schema, summary: 'Let a disabled user in again', body: NoBody },
    },
    async (request) => {
      const caller = identityOf(request);
      return toUserBody(await enableUser(app.deps, request.params.uid, caller), caller);
    },
  );
};
