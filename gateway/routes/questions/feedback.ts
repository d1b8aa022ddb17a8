import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { reportQuestion } from '@proveklar/services/feedback/report-question.ts';
import * as docs from '#openapi/examples/questions.ts';
import { FeedbackRequest, QuestionParams } from '@proveklar/contract/feedback.ts';

import { Ok, withErrors } from '@proveklar/contract/common.ts';
import { callerOf } from '#plugins/access.ts';
import { perAccount } from '#plugins/rate-limit.ts';

export const feedbackRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/:question/feedback',
    {
      config: {
        access: 'learner',
        rateLimit: perAccount('reports'),
        docs: docs.reportQuestion,
      },
      schema: {
        tags: ['questions'],
        summary: 'Report a question that one has met in a quiz',
        params: QuestionParams,
        body: FeedbackRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const { type, reason, comment } = request.body;
      const { question } = request.params;
      const accountId = callerOf(request).id;
      await reportQuestion(app.deps.db, { accountId, question, type, reason, comment });
      return { ok: true as const };
    },
  );
};
