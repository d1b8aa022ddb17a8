import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Ok, withErrors } from '@proveklar/contract/common.ts';
import {
  LearningPlanRequest,
  LearningQuery,
  LearningResponse,
  OutcomeRequest,
} from '@proveklar/contract/learning.ts';
import { changePlan } from '@proveklar/services/learning/plan.ts';
import { answerOutcome, readLearning } from '@proveklar/services/learning/read-learning.ts';
import { stopReminders } from '@proveklar/services/learning/reminders.ts';
import * as docs from '#openapi/examples/learning.ts';
import { callerOf } from '#plugins/access.ts';
import { stopMailsRoutes } from '#plugins/stop-mails.ts';

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

/** Stops reminders without signing in. */
export const remindersRoutes = stopMailsRoutes({
  path: '/learning/reminders/stop',
  page: '/paminnelser',
  tag: 'learning',
  summary: 'Stop reminders by the link in a mail, without signing in',
  docs: docs.stopReminders,
  stop: stopReminders,
});
