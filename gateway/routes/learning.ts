import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Ok, withErrors } from '@proveklar/contract/common.ts';
import {
  LearningPlanRequest,
  LearningQuery,
  LearningResponse,
  OutcomeRequest,
  StopMailsQuery,
} from '@proveklar/contract/learning.ts';
import { changePlan } from '@proveklar/services/learning/plan.ts';
import { answerOutcome, readLearning } from '@proveklar/services/learning/read-learning.ts';
import { stopReminders } from '@proveklar/services/learning/reminders.ts';
import * as docs from '#openapi/examples/learning.ts';
import { callerOf } from '#plugins/access.ts';

/** What the caller knows, how ready they are for the exam, and what they plan. */
export const learningRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;

  app.get(
    '/learning',
    {
      config: { access: 'learner', docs: docs.readLearning },
      schema: {
        tags: ['learning'],
        summary: "Today's practice, readiness for the exam, and topics",
        querystring: LearningQuery,
        response: withErrors({ 200: LearningResponse }),
      },
    },
    async (request) => {
      const account = callerOf(request);
      return readLearning(db, account.id, request.query.language ?? account.language);
    },
  );

  app.put(
    '/learning',
    {
      config: { access: 'learner', docs: docs.changeLearningPlan },
      schema: {
        tags: ['learning'],
        summary:
          "Change the caller's exam, its date, the daily goal, reminders, support's access or auto-advance",
        body: LearningPlanRequest,
        response: withErrors({ 200: LearningResponse }),
      },
    },
    async (request) => {
      const account = callerOf(request);
      await changePlan(db, account.id, request.body);
      return readLearning(db, account.id, account.language);
    },
  );

  app.post(
    '/learning/outcome',
    {
      config: { access: 'learner', docs: docs.answerOutcome },
      schema: {
        tags: ['learning'],
        summary: 'Say how the exam went, or that one does not want to say',
        body: OutcomeRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      await answerOutcome(db, callerOf(request), request.body.passed);
      return { ok: true as const };
    },
  );
};

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
        querystring: StopMailsQuery,
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
    { config: { access: 'public' }, schema: { hide: true, querystring: StopMailsQuery } },
    async (request, reply) =>
      reply.redirect(`${config.PUBLIC_URL}/paminnelser?token=${request.query.token}`, 303),
  );
};
