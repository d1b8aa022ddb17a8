import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import { PortalHomeResponse } from '@proveklar/contract/portal-home.ts';
import {
  readLearnersHome,
  readOperationsHome,
  readQuestionsHome,
} from '@proveklar/services/portal/home.ts';
import * as docs from '#openapi/examples/portal-home.ts';
import { cached } from '#pages/cached.ts';
import { identityOf, ROLES_OF } from '#plugins/access.ts';

/** Every page of the portal shows the counts, for all who have it open. */
const CACHE_MS = 5_000;

/** The first page of the portal. Each role gets its own parts. */
export const portalHomeRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;
  const readers = {
    questions: cached(CACHE_MS, () => readQuestionsHome(db)),
    learners: cached(CACHE_MS, () => readLearnersHome(db)),
    operations: cached(CACHE_MS, () => readOperationsHome(db)),
  };

  app.get(
    '/home',
    {
      config: { access: 'portal', docs: docs.readPortalHome },
      schema: {
        tags: ['admin'],
        summary: "What waits in the portal, and today's figures",
        response: withErrors({ 200: PortalHomeResponse }),
      },
    },
    async (request) => {
      const role = identityOf(request).role!;
      const has = (access: 'editor' | 'support' | 'operator') => ROLES_OF[access]!.includes(role);
      const [questions, learners, operations] = await Promise.all([
        has('editor') ? readers.questions() : null,
        has('support') ? readers.learners() : null,
        has('operator') ? readers.operations() : null,
      ]);
      return { questions, learners, operations };
    },
  );
};
