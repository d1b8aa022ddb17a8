import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Ok, withErrors } from '@proveklar/contract/common.ts';
import { StopRemindersQuery } from '@proveklar/contract/learning.ts';
import { stopReminders } from '@proveklar/services/learning/reminders.ts';
import * as docs from '#openapi/examples/learning.ts';

/** RFC 8058 has a form with one field. Its content says nothing that the address does not say. */
const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** Stops reminders without signing in, by the address in the mail. */
export const remindersRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db, config } = app.deps;
  app.addContentTypeParser(FORMS, { parseAs: 'string', bodyLimit: 1024 }, (_request, body, done) =>
    done(null, body),
  );

  app.post(
    '/learning/reminders/stop',
    {
      config: {
        access: 'public',
        rawBody: Object.fromEntries(FORMS.map((type) => [type, { schema: Type.String() }])),
        docs: docs.stopReminders,
      },
      schema: {
        tags: ['learning'],
        summary: 'Stop reminders by the link in a mail, without signing in',
        querystring: StopRemindersQuery,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      await stopReminders(db, request.query.token);
      return { ok: true as const };
    },
  );

  // A mail program without one-click opens the address. It changes nothing, because scanners of mails open it
  // too: the page asks first.
  app.get(
    '/learning/reminders/stop',
    { config: { access: 'public' }, schema: { hide: true, querystring: StopRemindersQuery } },
    async (request, reply) =>
      reply.redirect(`${config.PUBLIC_URL}/paminnelser?token=${request.query.token}`, 303),
  );
};
