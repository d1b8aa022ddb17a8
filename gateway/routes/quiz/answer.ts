import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerQuestion } from '@proveklar/services/quiz/answer-question.ts';
import * as docs from '#contract/examples/quiz.ts';
import { AnswerRequest, AnswerResponse, QuizParams } from '#contract/quiz.ts';
import { withErrors } from '#contract/responses.ts';
import { identityOf } from '#plugins/access.ts';

export const answerRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/:id/answer',
    {
      config: { access: 'learner', accountCheckedByService: true, docs: docs.answerQuestion },
      schema: {
        tags: ['quiz'],
        summary: 'Answer a question',
        params: QuizParams,
        body: AnswerRequest,
        response: withErrors({ 200: AnswerResponse }),
      },
    },
    async (request) => {
      const { uid, signedInAt } = identityOf(request);
      const { question_id: questionUuid, answer } = request.body;
      const quizId = request.params.id;
      return answerQuestion(app.deps.db, { uid, signedInAt, quizId, questionUuid, answer });
    },
  );
};
