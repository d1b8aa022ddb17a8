import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { cancelQuiz } from '@proveklar/services/quiz/end-quiz.ts';
import * as docs from '#contract/examples/quiz.ts';
import { QuizParams } from '#contract/quiz.ts';
import { NoBody, Ok, withErrors } from '#contract/responses.ts';
import { callerOf } from '#plugins/access.ts';

export const cancelRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/:id/cancel',
    {
      config: { access: 'learner', docs: docs.cancelQuiz },
      schema: {
        tags: ['quiz'],
        summary: 'Leave a quiz without a result',
        params: QuizParams,
        body: NoBody,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      await cancelQuiz(app.deps.db, callerOf(request).id, request.params.id);
      return { ok: true as const };
    },
  );
};
