import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { EmptyBody, Ok, withErrors } from '@proveklar/contract/common.ts';
import {
  AudienceQuery,
  AudienceResponse,
  ChangeMessageRequest,
  Message,
  MessageContent,
  MessageParams,
  MessagePreview,
  MessagesQuery,
  MessagesResponse,
  PreviewQuery,
  NewsConsentRequest,
  NewsConsentResponse,
} from '@proveklar/contract/messages.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { previewMessage } from '@proveklar/services/mail-templates/message.ts';
import {
  changeMessage,
  countAudience,
  createMessage,
  deleteMessage,
  listMessages,
  type MessageRecord,
  readMessage,
  requestTest,
} from '@proveklar/services/messages/messages.ts';
import { startMessage, stopMessage } from '@proveklar/services/messages/send-message.ts';
import {
  changeNewsConsent,
  readNewsConsent,
  stopNews,
} from '@proveklar/services/messages/news-consent.ts';
import * as docs from '#openapi/examples/messages.ts';
import { callerOf, identityOf } from '#plugins/access.ts';
import { stopMailsRoutes } from '#plugins/stop-mails.ts';

/** Mails that administrators write to learners. */
export const messagesRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db, config } = app.deps;
  const addresses = { publicUrl: config.PUBLIC_URL, supportEmail: config.SUPPORT_EMAIL };

  app.get(
    '/',
    {
      config: { access: 'support', docs: docs.listMessages },
      schema: {
        tags: ['admin'],
        summary: 'Messages to learners, newest first',
        querystring: MessagesQuery,
        response: withErrors({ 200: MessagesResponse }),
      },
    },
    async (request) => {
      const { messages, next_before } = await listMessages(db, request.query.before ?? null);
      return { messages: messages.map(toBody), next_before };
    },
  );

  app.post(
    '/',
    {
      config: { access: 'support', docs: docs.createMessage },
      schema: {
        tags: ['admin'],
        summary: 'Write a message',
        body: MessageContent,
        response: withErrors({ 200: Message }),
      },
    },
    async (request) => toBody(await createMessage(db, identityOf(request), request.body)),
  );

  app.get(
    '/audience',
    {
      config: { access: 'support', docs: docs.countMessageAudience },
      schema: {
        tags: ['admin'],
        summary: 'The number of learners that a message would reach',
        querystring: AudienceQuery,
        response: withErrors({ 200: AudienceResponse }),
      },
    },
    async (request) => {
      const { kind, audience, languages } = request.query;
      const codes = (['no', 'en'] as const).filter((code) => languages.split(',').includes(code));
      return countAudience(db, { kind, audience, languages: codes });
    },
  );

  app.get(
    '/:id',
    {
      config: { access: 'support', docs: docs.readMessage },
      schema: {
        tags: ['admin'],
        summary: 'A message, and what came of it',
        params: MessageParams,
        response: withErrors({ 200: Message }),
      },
    },
    async (request) => toBody(await readMessage(db, request.params.id)),
  );

  app.put(
    '/:id',
    {
      config: { access: 'support', docs: docs.changeMessage },
      schema: {
        tags: ['admin'],
        summary: 'Change a draft',
        params: MessageParams,
        body: ChangeMessageRequest,
        response: withErrors({ 200: Message }),
      },
    },
    async (request) => {
      const { params, body } = request;
      return toBody(await changeMessage(db, identityOf(request), { ...body, id: params.id }));
    },
  );

  app.delete(
    '/:id',
    {
      config: { access: 'support', docs: docs.deleteMessage },
      schema: {
        tags: ['admin'],
        summary: 'Delete a draft',
        params: MessageParams,
        body: EmptyBody,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      await deleteMessage(db, identityOf(request), request.params.id);
      return { ok: true as const };
    },
  );

  app.get(
    '/:id/preview',
    {
      config: { access: 'support', docs: docs.previewMessage },
      schema: {
        tags: ['admin'],
        summary: 'The mail of a message, as plain text',
        params: MessageParams,
        querystring: PreviewQuery,
        response: withErrors({ 200: MessagePreview }),
      },
    },
    async (request) => {
      const { language } = request.query;
      const message = await readMessage(db, request.params.id);
      if (!message.texts[language]) throw new AppError('not_found');
      const { subject, text } = await previewMessage({ db, addresses }, message, language);
      return { subject, text };
    },
  );

  app.post(
    '/:id/test',
    {
      config: { access: 'support', docs: docs.testMessage },
      schema: {
        tags: ['admin'],
        summary: 'Mail a message to oneself',
        params: MessageParams,
        body: EmptyBody,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      await requestTest(db, identityOf(request), request.params.id);
      return { ok: true as const };
    },
  );

  app.post(
    '/:id/start',
    {
      config: { access: 'support', docs: docs.startMessage },
      schema: {
        tags: ['admin'],
        summary: 'Send a message, or go on after it was stopped',
        params: MessageParams,
        body: EmptyBody,
        response: withErrors({ 200: Message }),
      },
    },
    async (request) => toBody(await startMessage(db, identityOf(request), request.params.id)),
  );

  app.post(
    '/:id/stop',
    {
      config: { access: 'support', docs: docs.stopMessage },
      schema: {
        tags: ['admin'],
        summary: 'Stop a message that is being sent',
        params: MessageParams,
        body: EmptyBody,
        response: withErrors({ 200: Message }),
      },
    },
    async (request) => toBody(await stopMessage(db, identityOf(request), request.params.id)),
  );
};

function toBody({ tested_revision, ...message }: MessageRecord): Message {
  return {
    ...message,
    is_tested: tested_revision === message.revision,
    created_at: message.created_at.toISOString(),
    updated_at: message.updated_at.toISOString(),
    started_at: message.started_at?.toISOString() ?? null,
    ended_at: message.ended_at?.toISOString() ?? null,
  };
}

/** The caller's consent to news by mail. */
export const newsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;

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
};

/** Withdraws the consent to news without signing in. */
export const stopNewsRoutes = stopMailsRoutes({
  path: '/news/stop',
  page: '/nyheter',
  tag: 'account',
  summary: 'Stop news by the link in a mail, without signing in',
  docs: docs.stopNews,
  stop: stopNews,
});
