import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import { LiveEvent } from '@proveklar/contract/events.ts';
import { isAdmin } from '@proveklar/services/identity/verify-token.ts';
import * as docs from '#openapi/examples/service.ts';
import { callerOf, identityOf } from '#plugins/access.ts';

/** The stream of live updates. */
export const eventsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/events',
    {
      config: { access: 'learner', takesItsTime: true, docs: docs.streamEvents },
      // There is no end to tell the headers of.
      exposeHeadRoute: false,
      schema: {
        tags: ['events'],
        summary: 'Tells what changed and should be read again, as server-sent events',
        response: withErrors({
          200: {
            description:
              'First `ready`, then a message for each change and `resync` after a gap. Ends with the token.',
            content: { 'text/event-stream': { schema: LiveEvent } },
          },
        }),
      },
    },
    (request, reply) => {
      const identity = identityOf(request);
      const accountId = callerOf(request).id;
      app.live.open(
        { accountId, isAdmin: isAdmin(identity, app.deps.adminEmails), identity },
        reply,
      );
    },
  );
};
