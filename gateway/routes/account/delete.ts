import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { deleteUser } from '@proveklar/services/privacy/delete-user.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import * as docs from '#openapi/examples/account.ts';
import { NoBody, Ok, withErrors } from '@proveklar/contract/common.ts';
import { identityOf, recentIdentityOf } from '#plugins/access.ts';

export const deleteAccountRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.delete(
    '',
    {
      // The account that a deletion left halfway refuses everybody, and yet it has to be completed.
      config: { access: 'learner', accountCheckedByService: true, docs: docs.deleteAccount },
      schema: {
        tags: ['account'],
        summary: 'Delete the own account with everything that was learnt',
        body: NoBody,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      // However they signed in: the account may be the administrator's.
      if (app.deps.adminEmails.includes(identityOf(request).email)) {
        throw new AppError('cannot_delete_self');
      }
      const { uid, email, emailVerified, signedInAt } = recentIdentityOf(request);
      await deleteUser(app.deps, uid, { signedInAt, verifiedEmail: emailVerified ? email : null });
      return { ok: true as const };
    },
  );
};
