import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listTopics } from '@proveklar/services/questions/topics.ts';
import * as docs from '#contract/examples/topics.ts';
import { withErrors } from '#contract/responses.ts';
import { TopicsQuery, TopicsResponse } from '#contract/topics.ts';

export const topicsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/topics',
    {
      config: { access: 'public', docs: docs.listTopics },
      schema: {
        tags: ['questions'],
        summary: 'The topics that can be practised',
        querystring: TopicsQuery,
        response: withErrors({ 200: TopicsResponse }),
      },
    },
    async (request) => ({
      topics: await listTopics(app.deps.db, request.query.language ?? 'no'),
    }),
  );
};
