import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listVersions, readBankQuestion } from '@proveklar/services/questions/bank-question.ts';
import * as docs from '#openapi/examples/questions.ts';
import { QuestionParams } from '@proveklar/contract/feedback.ts';
import { BankQuestion, QuestionVersionsResponse } from '@proveklar/contract/questions.ts';
import { withErrors } from '@proveklar/contract/common.ts';

export const readRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:question',
    {
      config: { access: 'admin', docs: docs.readQuestion },
      schema: {
        tags: ['admin'],
        summary: 'One question of the bank',
        params: QuestionParams,
        response: withErrors({ 200: BankQuestion }),
      },
    },
    (request) => readBankQuestion(app.deps.db, request.params.question),
  );

  app.get(
    '/:question/versions',
    {
      config: { access: 'admin', docs: docs.listQuestionVersions },
      schema: {
        tags: ['admin'],
        summary: 'What a question is and was',
        params: QuestionParams,
        response: withErrors({ 200: QuestionVersionsResponse }),
      },
    },
    async (request) => ({
      versions: await listVersions(app.deps.db, request.params.question),
    }),
  );
};
