import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { readTranslation } from '@proveklar/services/quiz/read-translation.ts';
import * as docs from '#contract/examples/quiz.ts';
import { Translation, TranslationParams, TranslationQuery } from '#contract/quiz.ts';
import { withErrors } from '#contract/responses.ts';
import { callerOf } from '#plugins/access.ts';
import { perAccount } from '#plugins/rate-limit.ts';

export const translationRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:id/questions/:uuid/translation',
    {
      config: {
        access: 'learner',
        rateLimit: perAccount('translations'),
        docs: docs.readTranslation,
      },
      schema: {
        tags: ['quiz'],
        summary: 'A question in another language, once its key may be known',
        params: TranslationParams,
        querystring: TranslationQuery,
        response: withErrors({ 200: Translation }),
      },
    },
    async (request) => {
      const { id: quizId, uuid: questionUuid } = request.params;
      const { language } = request.query;
      return readTranslation(app.deps.db, callerOf(request).id, { quizId, questionUuid, language });
    },
  );
};
