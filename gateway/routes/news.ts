import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Ok, withErrors } from '@proveklar/contract/common.ts';
import { StopMailsQuery } from '@proveklar/contract/learning.ts';
import { NewsConsentRequest, NewsConsentResponse } from '@proveklar/contract/messages.ts';
import {
  changeNewsConsent,
  readNewsConsent,
  stopNews,
} from '@proveklar/services/messages/news-consent.ts';
import * as docs from '#openapi/examples/messages.ts';
import { callerOf } from '#plugins/access.ts';

/** RFC 8058 has a form with one field. Its content says nothing that the address does not say. */
const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** The caller's consent to news by mail, and its withdrawal by the address in a mail. */
export const newsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db, config } = app.deps;

  app.get(
    '/account/news',
    {
      config: { access: 'learner', docs: docs.readNewsConsent },
      schema: {
        tags: ['account'],
        summary: "The caller's consent to news by mail",
        response: withErrors({ 200: NewsConsentResponse }),
      },
    },
    async (request) => consentOf(callerOf(request).id),
  );

  app.put(
    '/account/news',
    {
      config: { access: 'learner', docs: docs.changeNewsConsent },
      schema: {
        tags: ['account'],
        summary: 'Agree to news by mail, or withdraw it',
        body: NewsConsentRequest,
        response: withErrors({ 200: NewsConsentResponse }),
      },
    },
    async (request) => {
      const { id } = callerOf(request);
      await changeNewsConsent(db, id, request.body);
      return consentOf(id);
    },
  );

  async function consentOf(accountId: string): Promise<NewsConsentResponse> {
    const consent = await readNewsConsent(db, accountId);
    return { news: consent !== null, agreed_at: consent?.agreedAt.toISOString() ?? null };
  }

  app.addContentTypeParser(FORMS, { parseAs: 'string', bodyLimit: 1024 }, (_request, body, done) =>
    done(null, body),
  );

  app.post(
    '/news/stop',
    {
      config: {
        access: 'public',
        rawBody: Object.fromEntries(FORMS.map((type) => [type, { schema: Type.String() }])),
        docs: docs.stopNews,
      },
      schema: {
        tags: ['account'],
        summary: 'Stop news by the link in a mail, without signing in',
        querystring: StopMailsQuery,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      await stopNews(db, request.query.token);
      return { ok: true as const };
    },
  );

  // A mail program without one-click opens the address. It changes nothing, because scanners of mails open it
  // too: the page asks first.
  app.get(
    '/news/stop',
    { config: { access: 'public' }, schema: { hide: true, querystring: StopMailsQuery } },
    async (request, reply) =>
      reply.redirect(`${config.PUBLIC_URL}/nyheter?token=${request.query.token}`, 303),
  );
};
