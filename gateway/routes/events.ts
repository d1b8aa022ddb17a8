import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import { LiveEvent } from '@proveklar/contract/live-updates.ts';
import { roleOf } from '@proveklar/services/accounts/portal-members.ts';
import * as docs from '#openapi/examples/service.ts';
import { callerOf, identityOf } from '#plugins/access.ts';

/** The stream is text; `contentSchema` is the `data` of a message. */
const STREAM = Type.String({ contentMediaType: 'text/event-stream', contentSchema: LiveEvent });

/** The stream of live updates. */
export const eventsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/events',
    {
      config: { access: 'learner', unboundedDuration: true, docs: docs.streamEvents },
      // A stream has no end, so HEAD has no answer.
      exposeHeadRoute: false,
      schema: {
        tags: ['events'],
        summary: 'Live updates, as server-sent events: what changed and should be fetched again',
        response: withErrors({
          200: {
            description:
              'First `ready`, then a message for each change, and `resync` after a gap. The stream ends when the token expires.',
            content: { 'text/event-stream': { schema: STREAM } },
          },
        }),
      },
    },
    async (request, reply) => {
      const identity = identityOf(request);
      const accountId = callerOf(request).id;
      const role = await roleOf(app.deps.db, identity, app.deps.adminEmails);
      app.live.open({ accountId, inPortal: role !== null, identity }, reply);
    },
  );
};
