import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { deleteUser } from '@proveklar/services/accounts/delete-user.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import * as docs from '#contract/examples/account.ts';
import { Ok, withErrors } from '#contract/responses.ts';
import { identityOf } from '#plugins/access.ts';

/** So long ago they may have signed in: a page left open is no consent to this. */
const RECENT_MS = 5 * 60 * 1000;

export const deleteAccountRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.delete(
    '',
    {
      // The account that a deletion left halfway refuses everybody, and yet it has to be completed.
      config: { access: 'learner', accountCheckedByService: true, docs: docs.deleteAccount },
      schema: {
        tags: ['account'],
        summary: 'Delete the own account with everything that was learnt',
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const { uid, email, emailVerified, signedInAt } = identityOf(request);
      // However they signed in: the account may be the administrator's.
      if (app.deps.adminEmails.includes(email)) throw new AppError('cannot_delete_self');
      if (Date.now() - signedInAt > RECENT_MS) throw new AppError('recent_sign_in_required');
      await deleteUser(app.deps, uid, { verifiedEmail: emailVerified ? email : null });
      return { ok: true as const };
    },
  );
};
