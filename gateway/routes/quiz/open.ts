import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listOpenQuizzes } from '@proveklar/services/quiz/quiz-history.ts';
import * as docs from '#contract/examples/quiz.ts';
import { OpenQuizzesResponse } from '#contract/quiz-history.ts';
import { withErrors } from '#contract/responses.ts';
import { callerOf } from '#plugins/access.ts';

export const openRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/open',
    {
      config: { access: 'learner', docs: docs.listOpenQuizzes },
      schema: {
        tags: ['quiz'],
        summary: 'The quizzes to go on with, on any device',
        response: withErrors({ 200: OpenQuizzesResponse }),
      },
    },
    async (request) => {
      const quizzes = await listOpenQuizzes(app.deps.db, callerOf(request).id);
      return {
        quizzes: quizzes.map((quiz) => ({ ...quiz, started_at: quiz.started_at.toISOString() })),
      };
    },
  );
};
