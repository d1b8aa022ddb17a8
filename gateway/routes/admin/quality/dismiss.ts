import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { dismissQuality } from '@proveklar/services/statistics/dismiss.ts';
import * as docs from '#openapi/examples/question-quality.ts';
import { QuestionParams } from '@proveklar/contract/feedback.ts';
import { DismissQualityRequest } from '@proveklar/contract/question-quality.ts';

import { Ok, withErrors } from '@proveklar/contract/common.ts';
import { identityOf } from '#plugins/access.ts';

export const dismissRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/:question/dismiss',
    {
      config: { access: 'admin', docs: docs.dismissQuality },
      schema: {
        tags: ['admin'],
        summary: 'Say that a question was looked at and is right',
        params: QuestionParams,
        body: DismissQualityRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const { question } = request.params;
      const actor = identityOf(request);
      await dismissQuality(app.deps.db, question, request.body.reason, actor);
      return { ok: true as const };
    },
  );
};
