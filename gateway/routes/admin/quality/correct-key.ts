import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { correctKey } from '@proveklar/services/quiz/regrade.ts';
import * as docs from '#openapi/examples/question-quality.ts';
import { QuestionParams } from '@proveklar/contract/feedback.ts';
import { CorrectKeyRequest, CorrectKeyResponse } from '@proveklar/contract/question-quality.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { identityOf } from '#plugins/access.ts';

export const correctKeyRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/:question/correct-key',
    {
      config: { access: 'admin', docs: docs.correctKey },
      schema: {
        tags: ['admin'],
        summary: 'Make another option the right one, and regrade the quizzes that showed it',
        params: QuestionParams,
        body: CorrectKeyRequest,
        response: withErrors({ 200: CorrectKeyResponse }),
      },
    },
    async (request) => {
      const { question } = request.params;
      const actor = identityOf(request);
      return correctKey(app.deps.db, { question, ...request.body, actor });
    },
  );
};
