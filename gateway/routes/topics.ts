import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import { TopicsQuery, TopicsResponse } from '@proveklar/contract/questions.ts';
import { readLanguageCoverage } from '@proveklar/services/questions/language-coverage.ts';
import { listTopics } from '@proveklar/services/questions/topics.ts';
import * as docs from '#openapi/examples/questions.ts';

/** Topics with questions to practise. */
export const topicsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/topics',
    {
      config: { access: 'public', docs: docs.listTopics },
      schema: {
        tags: ['questions'],
        summary: 'Topics with questions to practise',
        querystring: TopicsQuery,
        response: withErrors({ 200: TopicsResponse }),
      },
    },
    async ({ query: { language = 'no' } }) => ({
      topics: await listTopics(app.deps.db, language),
      coverage: await readLanguageCoverage(app.deps.db, language),
    }),
  );
};
