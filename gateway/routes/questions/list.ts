import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listEndedQuestions } from '@proveklar/services/quiz/ended-questions.ts';
import * as docs from '#contract/examples/questions.ts';
import { QuestionsQuery, QuestionsResponse } from '#contract/questions.ts';
import { withErrors } from '#contract/responses.ts';
import { callerOf } from '#plugins/access.ts';

export const listRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/',
    {
      config: { access: 'learner', docs: docs.listQuestions },
      schema: {
        tags: ['questions'],
        summary: 'The questions of a quiz that was ended, with their keys; by default of the last',
        querystring: QuestionsQuery,
        response: withErrors({ 200: QuestionsResponse }),
      },
    },
    async (request) => {
      const { quiz_id: quizId } = request.query;
      const questions = await listEndedQuestions(app.deps.db, callerOf(request).id, quizId);
      return { questions, total: questions.length, page: 1 };
    },
  );
};
