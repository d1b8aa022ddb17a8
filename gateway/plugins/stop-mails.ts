import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { Ok, withErrors } from '@proveklar/contract/common.ts';
import { StopMailsQuery } from '@proveklar/contract/learning.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import type { OperationDocs } from '#openapi/examples/operation.ts';

/** RFC 8058 has a form with one field. Its content says nothing that the address does not say. */
const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

interface StoppedMails {
  path: string;
  /** The page that asks, on the site. */
  page: string;
  tag: string;
  summary: string;
  docs: OperationDocs<string, Static<typeof Ok>>;
  stop: (db: Database, token: string) => Promise<void>;
}

/** Stops a kind of mail without signing in, by the address in the mail: with one click (RFC 8058), or on a page. */
export const stopMailsRoutes =
  ({ path, page, tag, summary, docs, stop }: StoppedMails): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, config } = app.deps;
    app.addContentTypeParser(
      FORMS,
      { parseAs: 'string', bodyLimit: 1024 },
      (_request, body, done) => done(null, body),
    );

    app.post(
      path,
      {
        config: {
          access: 'public',
          rawBody: Object.fromEntries(FORMS.map((type) => [type, { schema: Type.String() }])),
          docs,
        },
        schema: {
          tags: [tag],
          summary,
          querystring: StopMailsQuery,
          response: withErrors({ 200: Ok }),
        },
      },
      async (request) => {
        await stop(db, request.query.token);
        return { ok: true as const };
      },
    );

    // A mail program without one-click opens the address. It changes nothing, because scanners of mails open it
    // too: the page asks first.
    app.get(
      path,
      { config: { access: 'public' }, schema: { hide: true, querystring: StopMailsQuery } },
      async (request, reply) =>
        reply.redirect(`${config.PUBLIC_URL}${page}?token=${request.query.token}`, 303),
    );
  };
