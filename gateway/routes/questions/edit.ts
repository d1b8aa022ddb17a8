import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { changeTopic, editQuestion } from '@proveklar/services/questions/edit-question.ts';
import * as docs from '#openapi/examples/questions.ts';
import { QuestionParams } from '@proveklar/contract/feedback.ts';
import {
  BankQuestion,
  EditQuestionRequest,
  QuestionTopicRequest,
} from '@proveklar/contract/questions.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { identityOf } from '#plugins/access.ts';

export const editRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.put(
    '/:question',
    {
      config: { access: 'admin', docs: docs.editQuestion },
      schema: {
        tags: ['admin'],
        summary: 'Edit a question',
        params: QuestionParams,
        body: EditQuestionRequest,
        response: withErrors({ 200: BankQuestion }),
      },
    },
    (request) => {
      const { version, ...content } = request.body;
      const actor = identityOf(request);
      const { question } = request.params;
      return editQuestion(app.deps.db, { question, version, content, actor });
    },
  );

  app.put(
    '/:question/topic',
    {
      config: { access: 'admin', docs: docs.changeQuestionTopic },
      schema: {
        tags: ['admin'],
        summary: 'Put a question under another topic',
        params: QuestionParams,
        body: QuestionTopicRequest,
        response: withErrors({ 200: BankQuestion }),
      },
    },
    (request) =>
      changeTopic(app.deps.db, {
        ...request.params,
        topic: request.body.topic,
        actor: identityOf(request),
      }),
  );
};
