import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { endQuiz } from '@proveklar/services/quiz/end-quiz.ts';
import * as docs from '#contract/examples/quiz.ts';
import { EndQuizResponse, QuizParams } from '#contract/quiz.ts';
import { NoBody, withErrors } from '#contract/responses.ts';
import { callerOf } from '#plugins/access.ts';

export const endRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/:id/end',
    {
      config: { access: 'learner', docs: docs.endQuiz },
      schema: {
        tags: ['quiz'],
        summary: 'Hand in a quiz; again returns the same result',
        params: QuizParams,
        body: NoBody,
        response: withErrors({ 200: EndQuizResponse }),
      },
    },
    async (request) => endQuiz(app.deps.db, callerOf(request).id, request.params.id),
  );
};
