import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { readProgress } from '@proveklar/services/quiz/read-progress.ts';
import * as docs from '#contract/examples/quiz-progress.ts';
import { ProgressResponse } from '#contract/quiz-progress.ts';
import { withErrors } from '#contract/responses.ts';
import { callerOf } from '#plugins/access.ts';

export const progressRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/progress',
    {
      config: { access: 'learner', docs: docs.readProgress },
      schema: {
        tags: ['quiz'],
        summary: 'What the learner knows of each topic, and what they got wrong',
        response: withErrors({ 200: ProgressResponse }),
      },
    },
    async (request) => {
      const progress = await readProgress(app.deps.db, callerOf(request).id);
      return {
        ...progress,
        topics: progress.topics.map((topic) => ({
          ...topic,
          last_practised_at: topic.last_practised_at.toISOString(),
        })),
      };
    },
  );
};
