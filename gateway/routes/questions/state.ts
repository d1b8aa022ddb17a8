import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  deleteQuestion,
  restoreQuestion,
  validateQuestion,
} from '@proveklar/services/questions/edit-question.ts';
import * as docs from '#openapi/examples/questions.ts';
import { QuestionParams } from '@proveklar/contract/feedback.ts';
import {
  BankQuestion,
  DeleteQuestionResponse,
  ValidateQuestionRequest,
} from '@proveklar/contract/questions.ts';
import { NoBody, withErrors } from '@proveklar/contract/common.ts';
import { identityOf } from '#plugins/access.ts';

export const stateRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/:question/validate',
    {
      config: { access: 'admin', docs: docs.validateQuestion },
      schema: {
        tags: ['admin'],
        summary: 'Validate a question, or take a validation back',
        params: QuestionParams,
        body: ValidateQuestionRequest,
        response: withErrors({ 200: BankQuestion }),
      },
    },
    (request) =>
      validateQuestion(app.deps.db, {
        ...request.params,
        ...request.body,
        actor: identityOf(request),
      }),
  );

  app.delete(
    '/:question',
    {
      config: { access: 'admin', docs: docs.deleteQuestion },
      schema: {
        tags: ['admin'],
        summary: 'Delete a question, or retire one that quizzes have',
        params: QuestionParams,
        body: NoBody,
        response: withErrors({ 200: DeleteQuestionResponse }),
      },
    },
    async (request) => {
      const wish = { ...request.params, actor: identityOf(request) };
      return { ok: true as const, ...(await deleteQuestion(app.deps.db, wish)) };
    },
  );

  app.post(
    '/:question/restore',
    {
      config: { access: 'admin', docs: docs.restoreQuestion },
      schema: {
        tags: ['admin'],
        summary: 'Bring a retired question back',
        params: QuestionParams,
        body: NoBody,
        response: withErrors({ 200: BankQuestion }),
      },
    },
    (request) => restoreQuestion(app.deps.db, { ...request.params, actor: identityOf(request) }),
  );
};
