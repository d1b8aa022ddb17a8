import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { readQuiz } from '@proveklar/services/quiz/read-quiz.ts';
import * as docs from '#contract/examples/quiz.ts';
import { QuizParams, QuizSession } from '#contract/quiz.ts';
import { withErrors } from '#contract/responses.ts';
import { callerOf } from '#plugins/access.ts';

export const readRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:id',
    {
      config: { access: 'learner', docs: docs.readQuiz },
      schema: {
        tags: ['quiz'],
        summary: 'A quiz as it stands, with answers and questions',
        params: QuizParams,
        response: withErrors({ 200: QuizSession }),
      },
    },
    async (request) => readQuiz(app.deps.db, callerOf(request).id, request.params.id),
  );
};
