import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listHistory } from '@proveklar/services/quiz/quiz-history.ts';
import * as docs from '#contract/examples/quiz.ts';
import { HistoryResponse } from '#contract/quiz-history.ts';
import { withErrors } from '#contract/responses.ts';
import { callerOf } from '#plugins/access.ts';

export const historyRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/history',
    {
      config: { access: 'learner', docs: docs.listHistory },
      schema: {
        tags: ['quiz'],
        summary: 'The quizzes that were ended, the newest first',
        response: withErrors({ 200: HistoryResponse }),
      },
    },
    async (request) => {
      const history = await listHistory(app.deps.db, callerOf(request).id);
      return {
        history: history.map((run) => ({
          ...run,
          completed_at: run.completed_at.toISOString(),
          regraded_at: run.regraded_at?.toISOString() ?? null,
        })),
      };
    },
  );
};
