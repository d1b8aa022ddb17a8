import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { startQuiz } from '@proveklar/services/quiz/start-quiz.ts';
import * as docs from '#contract/examples/quiz.ts';
import { QuizSession, StartQuizRequest } from '#contract/quiz.ts';
import { withErrors } from '#contract/responses.ts';
import { callerOf } from '#plugins/access.ts';

const DEFAULT_QUESTION_COUNT = 10;

export const startRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/start',
    {
      config: { access: 'subscriber', docs: docs.startQuiz },
      schema: {
        tags: ['quiz'],
        summary: 'Draw a quiz: a drill, or a practice test',
        body: StartQuizRequest,
        response: withErrors({ 200: QuizSession }),
      },
    },
    async (request) => {
      const { body } = request;
      return startQuiz(app.deps, callerOf(request).id, {
        topic: body.topic,
        language: body.language ?? 'no',
        instantFeedback: body.instant_feedback ?? true,
        questionCount: body.question_count ?? DEFAULT_QUESTION_COUNT,
        exam: body.exam ?? 'samfunnskunnskap',
        timed: body.timed ?? true,
      });
    },
  );
};
