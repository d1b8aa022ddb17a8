import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { markQuestion } from '@proveklar/services/quiz/mark-question.ts';
import * as docs from '#contract/examples/quiz.ts';
import { MarkParams, MarkRequest } from '#contract/quiz.ts';
import { Ok, withErrors } from '#contract/responses.ts';
import { callerOf } from '#plugins/access.ts';

export const markRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.put(
    '/:id/questions/:uuid/mark',
    {
      config: { access: 'learner', docs: docs.markQuestion },
      schema: {
        tags: ['quiz'],
        summary: 'Mark a question of a practice test to come back to it',
        params: MarkParams,
        body: MarkRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const { id, uuid } = request.params;
      const { marked } = request.body;
      await markQuestion(app.deps.db, callerOf(request).id, {
        quizId: id,
        questionUuid: uuid,
        marked,
      });
      return { ok: true as const };
    },
  );
};
